import type { WebClientOptions } from '@slack/web-api';
import type { Config } from '../config.ts';
import type { JobQueue } from '../jobs/runner.ts';
import type { Routes } from '../ops/http-server.ts';
import type { Log } from '../ops/logging.ts';
import type { Stores } from '../store/stores.ts';
import type { Presence } from '../workspaces/presence.ts';
import type { WorkspaceId } from '../workspaces/workspace-id.ts';
import { installRoutes } from './install/install-routes.ts';
import { keepInstallation } from './install/keep-installation.ts';
import { createLiveInstallations } from './install/live-installations.ts';
import { HELD_MS } from './install/renew-token.ts';
import { createTokenExchange } from './install/token-exchange.ts';
import { createInstalledWorkspaces } from './installed-workspaces.ts';
import { createSingleWorkspace, identifyPatiently } from './workspace-identity.ts';
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

type Deps = {
  stores: Stores;
  presence: Presence;
  clientOptions: WebClientOptions;
  now: () => Date;
  log: Log;
};

/** How often tokens that expire soon are looked for, in ms: they are due two hours before. */
const RENEW_EVERY_MS = 5 * 60_000;

export function openWorkspaces(access: Config['slack']['access'], deps: Deps): OpenWorkspaces {
  return access.kind === 'token' ? openOne(access, deps) : openMany(access, deps);
}

function openOne({ botToken }: { botToken: string }, deps: Deps): OpenWorkspaces {
  const { stores, presence, clientOptions, now, log } = deps;
  const workspaces = createSingleWorkspace({
    ...{ botToken, clientOptions, presence },
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

function openMany(
  oauth: Extract<Config['slack']['access'], { kind: 'oauth' }>,
  deps: Deps,
): OpenWorkspaces {
  const { stores, now, log } = deps;
  const exchange = createTokenExchange({ ...deps, oauth });
  const live = createLiveInstallations({ ...deps, ...stores, exchange });
  const workspaces = createInstalledWorkspaces({ ...deps, ...stores, live });
  const timers: NodeJS.Timeout[] = [];
  const renew = () =>
    void live
      .renewExpiring()
      .catch((error) => log.error({ err: error }, 'tokens could not be renewed'));

  return {
    workspaces,
    routes: ({ jobs }) =>
      installRoutes({
        ...{ oauth, exchange, now, log },
        usedStates: stores.installStates,
        onInstalled: (installed) =>
          keepInstallation({ ...stores, workspaces, jobs, now, log }, installed),
      }),
    async open() {
      renew();
      // A process that died may hold the right to an exchange until then.
      timers.push(setTimeout(renew, HELD_MS), setInterval(renew, RENEW_EVERY_MS));
      return undefined;
    },
    // Node's timeouts and intervals are cleared alike.
    close: () => timers.forEach(clearTimeout),
  };
}
