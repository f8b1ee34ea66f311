import type { WebClientOptions } from '@slack/web-api';
import type { Config } from '../../config/config.ts';
import type { InstalledCheck } from '../../installations/installed-check.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { JobQueue } from '../../jobs/queue.ts';
import type { Routes } from '../../ops/http-server.ts';
import type { Log } from '../../ops/logging.ts';
import type { Stores } from '../../store/stores.ts';
import { openInstalled } from '../install/open-installed.ts';
import { createSingleWorkspace, identifyPatiently } from './one-workspace.ts';
import type { Workspaces } from './workspaces.ts';

/** The workspaces that the configuration gives access to, and what it takes to keep it. */
export type OpenWorkspaces = {
  workspaces: Workspaces;
  /** The pages on which people install the app; none for one workspace. */
  routes(deps: { jobs: JobQueue }): Routes;
  /**
   * Begins.
   *
   * @returns the workspace, where there is only one
   * @throws SlackTokenError where Slack refuses its token; the signal's reason where it is aborted
   */
  open(options: { signal: AbortSignal }): Promise<WorkspaceId | undefined>;
  close(): void;
};

export type OpenWorkspacesDeps = {
  stores: Stores;
  installedCheck: InstalledCheck;
  clientOptions: WebClientOptions;
  now: () => Date;
  log: Log;
};

export async function openWorkspaces(
  access: Config['slack']['access'],
  deps: OpenWorkspacesDeps,
): Promise<OpenWorkspaces> {
  if (access.kind === 'token') return openOne(access, deps);
  return openInstalled(access, deps);
}

function openOne({ botToken }: { botToken: string }, deps: OpenWorkspacesDeps): OpenWorkspaces {
  const { stores, installedCheck, clientOptions, now, log } = deps;
  const workspaces = createSingleWorkspace({
    ...{ botToken, clientOptions, installedCheck },
    remember: (workspaceId) => stores.installations.saveWithoutToken(workspaceId, now()),
  });
  return {
    workspaces,
    routes: () => ({}),
    async open({ signal }) {
      return (await identifyPatiently(workspaces, { log, signal })).workspaceId;
    },
    close: () => undefined,
  };
}
