import type { Config } from '../../config/config.ts';
import { createInstalledWorkspaces } from '../tenancy/many-workspaces.ts';
import type { OpenWorkspaces, OpenWorkspacesDeps } from '../tenancy/open-workspaces.ts';
import { installRoutes } from './install-routes.ts';
import { keepInstallation } from './keep-installation.ts';
import { createLiveInstallations } from './live-installations.ts';
import { HELD_MS } from './renew-token.ts';
import { createTokenExchange } from './token-exchange.ts';

/** How often tokens that expire soon are looked for, in ms: they are due two hours before. */
const RENEW_EVERY_MS = 5 * 60_000;

/** All workspaces that installed the app by OAuth, and the pages on which others do. */
export function openInstalled(
  oauth: Extract<Config['slack']['access'], { kind: 'oauth' }>,
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
