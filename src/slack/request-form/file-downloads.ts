import { z } from 'zod';
import type { Config } from '../../config/config.ts';
import { createFileLinks, type FileRef } from '../../files/file-links.ts';
import { fileRoutes } from '../../files/file-routes.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { JobQueue } from '../../jobs/queue.ts';
import type { JobHandler } from '../../jobs/runner.ts';
import type { Log } from '../../ops/logging.ts';
import type { CardLinks } from '../../references.ts';
import { filesOf } from '../../requests/request.ts';
import { onceKind } from '../../store/entries.ts';
import type { NewJob } from '../../store/jobs.ts';
import type { RequestStore } from '../../store/requests.ts';
import type { DirectMessages } from '../client/direct-messages.ts';
import type { SlackClients } from '../client/slack-client.ts';
import { SLACK_JOBS } from '../surface/jobs.ts';
import { section } from '../text/blocks.ts';
import { escapedLink, escapeMrkdwn } from '../text/escape.ts';
import { clip } from '../text/limits.ts';
import { wordsForLostFile } from '../words/files.ts';
import { cardUrlOf } from './outcome.ts';
import { createSlackFiles, type FileProblem } from './slack-files.ts';

export type FileDownloads = NonNullable<ReturnType<typeof createFileDownloads>>;

/** How the service gets the files of requests. Undefined without PUBLIC_URL: it could download nothing. */
export function createFileDownloads(
  { publicUrl, encryptionKeys, fileMaxBytes: maxBytes, slack }: Config,
  deps: {
    clients: SlackClients;
    /** Whether a workspace has the app. */
    has: (id: WorkspaceId) => Promise<boolean>;
    requests: Pick<RequestStore, 'get'>;
    jobs: JobQueue;
    now: () => Date;
    log: Log;
  },
) {
  if (publicUrl === undefined) return undefined;
  const { clients, has, requests, jobs, now, log } = deps;
  const links = createFileLinks({ keys: encryptionKeys, publicUrl, now });
  const source = createSlackFiles({
    clients,
    apiUrl: slack.apiUrl,
    maxBytes,
    now,
    log,
  });
  const onLost = (ref: FileRef, problem: FileProblem) => jobs.add(lostFileJob(ref, problem));
  const routes = fileRoutes({ links, source, requests, has, onLost, now, log });
  /** What the form accepts. */
  const forForms = { maxBytes };
  return { forForms, links, source, routes };
}

const payload = z.object({
  requestId: z.string(),
  fileId: z.string(),
  problem: z.string(),
});

function lostFileJob({ workspaceId, ...ref }: FileRef, problem: FileProblem): NewJob {
  const kind = SLACK_JOBS.lostFile;
  const identity = `${workspaceId}/${kind}/${ref.requestId}/${ref.fileId}`;
  return { kind, workspaceId, identity, payload: { ...ref, problem } };
}

/** Files whose loss was reported: their links live longer than the identity of a finished job. */
const REPORTED = onceKind('lost_file');
const TEXT_CHARS = 200;

/** Tells the author of a request once that the service asked for a file that can't be passed on any more. */
export function lostFileHandler(deps: {
  clients: SlackClients;
  requests: Pick<RequestStore, 'get'>;
  directMessages: DirectMessages;
  cards: CardLinks;
}): JobHandler {
  const { requests, directMessages, cards, clients } = deps;
  return async ({ workspaceId, payload: given }) => {
    const lost = payload.parse(given);
    const request = await requests.get(workspaceId, lost.requestId);
    const file = request && filesOf(request.form).find(({ id }) => id === lost.fileId);
    if (!request || !file) return 'done';
    const { userId, reference, form } = request;
    const entry = { kind: REPORTED, owner: workspaceId, name: `${lost.requestId}/${lost.fileId}` };
    const url = cardUrlOf(cards, request) ?? cards.dashboardUrl;
    const text = wordsForLostFile({
      isDeleted: lost.problem === 'deleted',
      name: escapeMrkdwn(clip(file.name, TEXT_CHARS)),
      request: `${escapedLink(url, clip(form.title, TEXT_CHARS))} (${reference})`,
    });
    const client = await clients.of(workspaceId);
    const message = { text, blocks: [section(text)] };
    await directMessages.sendOnce(entry, client, { workspaceId, userId }, message);
    return 'done';
  };
}
