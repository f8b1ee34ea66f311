import type { WebClientOptions } from '@slack/web-api';
import type { Config } from '../config/config.ts';
import { createInstalledCheck } from '../installations/installed-check.ts';
import { asWorkspace, type WorkspaceId } from '../installations/workspace-id.ts';
import type { JobQueue } from '../jobs/queue.ts';
import type { Routes } from '../ops/http-server.ts';
import type { Log } from '../ops/logging.ts';
import { retryPassing } from '../store/database-failures.ts';
import type { Stores } from '../store/stores.ts';
import { greetInstallerJob } from './install/greet-installer.ts';
import { installRoutes } from './install/install-routes.ts';
import { installationOf } from './tenancy/bot-token.ts';
import { createLiveInstallations } from './tenancy/live-installations.ts';
import { createTokenExchange, type Installed } from './tenancy/token-exchange.ts';
import { createWorkspaces, type Workspaces } from './tenancy/workspaces.ts';

/** How often expiring tokens are looked for, in ms; they are renewed two hours before they expire. */
const RENEW_EVERY_MS = 60_000;

/** The workspaces that the configuration gives access to. */
export function openWorkspaces(
  access: Config['slack']['access'],
  deps: {
    stores: Stores;
    /** Whether other processes may use the database. */
    isShared: boolean;
    clientOptions: WebClientOptions;
    now: () => Date;
    log: Log;
  },
) {
  const { stores, isShared, clientOptions, now, log } = deps;
  const { installations } = stores;
  const exchange =
    access.kind === 'oauth' ? createTokenExchange({ ...deps, oauth: access }) : undefined;
  const botToken = access.kind === 'token' ? access.botToken : undefined;
  const installedCheck = createInstalledCheck({ ...stores, now });
  const live = createLiveInstallations({ ...deps, installations, botToken, exchange });
  const workspaces = createWorkspaces({
    ...deps,
    ...stores,
    installedCheck,
    live,
    isSingle: botToken !== undefined,
  });
  let renewing: NodeJS.Timeout | undefined;
  const renew = () =>
    void live
      .renewExpiring()
      .catch((error) => log.error({ err: error }, 'could not list expiring tokens; retrying'));

  return {
    workspaces,

    /** The installation pages; none with a single bot token. */
    routes: ({ jobs }: { jobs: JobQueue }): Routes =>
      access.kind === 'oauth' && exchange
        ? installRoutes({
            oauth: access,
            exchange,
            now,
            log,
            entries: stores.entries,
            onInstalled: (installed) =>
              keepInstallation({ installations, workspaces, jobs, now, log }, installed),
          })
        : {},

    /**
     * Stores the installation of the single bot token, or starts renewing the tokens of many.
     *
     * @returns the workspace, if there is only one
     * @throws SlackTokenError if Slack refuses the token; the signal's reason if aborted
     */
    async open({ signal }: { signal: AbortSignal }): Promise<WorkspaceId | undefined> {
      if (botToken !== undefined) {
        const install = await installationOf(botToken, { clientOptions, log, signal });
        await retryPassing(() => installations.save(install, now()), log);
        workspaces.forget(install.id);
        workspaces.serveOnly(install.id);
        return asWorkspace(install.id);
      }
      // Whoever claimed a renewal before has ended, perhaps with tokens that it couldn't store.
      if (!isShared) await retryPassing(installations.endClaims, log);
      renew();
      renewing = setInterval(renew, RENEW_EVERY_MS);
      return undefined;
    },

    close: () => clearInterval(renewing),
  };
}

/**
 * Stores an installation, replacing an earlier one, and has the person who installed the app
 * greeted.
 */
async function keepInstallation(
  ctx: Pick<Stores, 'installations'> & {
    workspaces: Workspaces;
    jobs: JobQueue;
    now: () => Date;
    log: Log;
  },
  installed: Installed,
): Promise<void> {
  const { id, installedBy, isOrganization, scopes } = installed;
  await ctx.installations.save(installed, ctx.now());
  // Drop what is cached of an earlier installation, above all its tokens.
  ctx.workspaces.forget(id);
  ctx.log.info({ workspace: id, by: installedBy, isOrganization, scopes }, 'the app was installed');
  if (installedBy === undefined) return;
  await ctx.jobs.add(greetInstallerJob(asWorkspace(id), installedBy));
}
