import type { Config } from '../../config/config.ts';
import { createFileLinks } from '../../files/file-links.ts';
import { fileRoutes } from '../../files/file-routes.ts';
import type { JobQueue } from '../../jobs/queue.ts';
import type { Log } from '../../ops/logging.ts';
import type { RequestStore } from '../../store/requests.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import { lostFileJob } from './lost-file.ts';
import { createSlackFiles } from './slack-files.ts';

export type OpenFiles = NonNullable<ReturnType<typeof openFiles>>;

/** How the service gets the files of requests. Undefined without PUBLIC_URL: it could download nothing. */
export function openFiles(
  { publicUrl, encryptionKeys, fileMaxBytes, slack }: Config,
  deps: {
    workspaces: Workspaces;
    requests: Pick<RequestStore, 'get'>;
    jobs: JobQueue;
    now: () => Date;
    log: Log;
  },
) {
  if (publicUrl === undefined) return undefined;
  const { workspaces, requests, jobs, now, log } = deps;
  const links = createFileLinks({ keys: encryptionKeys, publicUrl, now });
  const source = createSlackFiles({
    clients: workspaces,
    apiUrl: slack.apiUrl,
    maxBytes: fileMaxBytes,
    now,
    log,
  });
  return {
    /** What the form accepts. */
    forForms: { maxBytes: fileMaxBytes },
    links,
    source,
    routes: fileRoutes({
      links,
      source,
      requests,
      has: workspaces.has,
      now,
      log,
      onLost: (ref, problem) => jobs.add(lostFileJob(ref, problem)),
    }),
  };
}
