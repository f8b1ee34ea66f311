import type { WebClientOptions } from '@slack/web-api';
import type { Config } from '../config/config.ts';
import type { InstalledCheck } from '../installations/installed-check.ts';
import type { WorkspaceId } from '../installations/workspace-id.ts';
import type { JobQueue } from '../jobs/queue.ts';
import type { Routes } from '../ops/http-server.ts';
import type { Log } from '../ops/logging.ts';
import type { Stores } from '../store/stores.ts';
import { installRoutes } from './install/install-routes.ts';
import { keepInstallation } from './install/keep-installation.ts';
import { createLiveInstallations } from './tenancy/live-installations.ts';
import { createInstalledWorkspaces } from './tenancy/many-workspaces.ts';
import { createSingleWorkspace, identifyWithRetries } from './tenancy/one-workspace.ts';
import { CLAIM_MS } from './tenancy/renew-token.ts';
import { createTokenExchange } from './tenancy/token-exchange.ts';
import type { Workspaces } from './tenancy/workspaces.ts';

type Access = Config['slack']['access'];

/** The workspaces that the configuration gives access to. */
export type OpenWorkspaces = {
  workspaces: Workspaces;
  /** The installation pages; none with a single bot token. */
  routes(deps: { jobs: JobQueue }): Routes;
  /**
   * Identifies the single workspace, or starts renewing the tokens of many.
   *
   * @returns the workspace, if there is only one
   * @throws SlackTokenError if Slack refuses the token; the signal's reason if aborted
   */
  open(options: { signal: AbortSignal }): Promise<WorkspaceId | undefined>;
  close(): void;
};

type OpenWorkspacesDeps = {
  stores: Stores;
  installedCheck: InstalledCheck;
  clientOptions: WebClientOptions;
  now: () => Date;
  log: Log;
};

export function openWorkspaces(access: Access, deps: OpenWorkspacesDeps): OpenWorkspaces {
  return access.kind === 'token' ? openOne(access, deps) : openMany(access, deps);
}

function openOne({ botToken }: { botToken: string }, deps: OpenWorkspacesDeps): OpenWorkspaces {
  const { stores, installedCheck, clientOptions, now, log } = deps;
  const workspaces = createSingleWorkspace({
    botToken,
    clientOptions,
    installedCheck,
    remember: (workspaceId) => stores.installations.save({ id: workspaceId }, now()),
  });
  return {
    workspaces,
    routes: () => ({}),
    open: async ({ signal }) =>
      (await identifyWithRetries(workspaces, { log, signal })).workspaceId,
    close: () => undefined,
  };
}

/** How often expiring tokens are looked for, in ms; they are renewed two hours before they expire. */
const RENEW_EVERY_MS = 5 * 60_000;

function openMany(
  oauth: Extract<Access, { kind: 'oauth' }>,
  deps: OpenWorkspacesDeps,
): OpenWorkspaces {
  const { stores, now, log } = deps;
  const exchange = createTokenExchange({ ...deps, oauth });
  const live = createLiveInstallations({ ...deps, ...stores, exchange });
  const workspaces = createInstalledWorkspaces({ ...deps, ...stores, live });
  const timers: NodeJS.Timeout[] = [];
  const renew = () =>
    void live
      .renewExpiring()
      .catch((error) => log.error({ err: error }, 'could not list expiring tokens; retrying'));

  return {
    workspaces,
    routes: ({ jobs }) =>
      installRoutes({
        oauth,
        exchange,
        now,
        log,
        entries: stores.entries,
        onInstalled: (installed) =>
          keepInstallation({ ...stores, workspaces, jobs, now, log }, installed),
      }),
    async open() {
      renew();
      // A replica that died may still hold the claim to a renewal until then.
      timers.push(setTimeout(renew, CLAIM_MS), setInterval(renew, RENEW_EVERY_MS));
      return undefined;
    },
    // clearTimeout clears intervals, too.
    close: () => timers.forEach(clearTimeout),
  };
}
