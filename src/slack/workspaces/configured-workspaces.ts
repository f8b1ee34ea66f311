import { setTimeout as sleep } from 'node:timers/promises';
import type { EnvelopedEvent } from '@slack/bolt';
import type {
  TeamAccessGrantedEvent,
  TeamAccessRevokedEvent,
  TokensRevokedEvent,
} from '@slack/types';
import type { WebClientOptions } from '@slack/web-api';
import { z } from 'zod';
import type { Config } from '../../config/config.ts';
import {
  asWorkspace,
  type OwnerId,
  organizationIdOf,
  type WorkspaceId,
  workspaceIdOf,
} from '../../installations/workspace-id.ts';
import type { JobQueue } from '../../jobs/queue.ts';
import type { JobHandler } from '../../jobs/runner.ts';
import type { Routes } from '../../ops/http-server.ts';
import type { Log } from '../../ops/logging.ts';
import { onceKind } from '../../store/entries.ts';
import type { NewInstallation } from '../../store/installations.ts';
import { retryTransient } from '../../store/open-stores.ts';
import type { OrganizationWorkspaceStore } from '../../store/organization-workspaces.ts';
import type { Stores } from '../../store/stores.ts';
import type { DirectMessages } from '../client/direct-messages.ts';
import { SlackTokenError, unansweredReason } from '../client/errors.ts';
import type { SlackClients } from '../client/slack-client.ts';
import { SLACK_JOBS } from '../interaction/jobs.ts';
import { GREETING } from '../words/install.ts';
import { installRoutes } from './install-routes.ts';
import { createLiveInstallations } from './live-installations.ts';
import { tenantOf } from './tenant.ts';
import { createTokenExchange, type Installed, ownerOfToken } from './token-exchange.ts';
import { createWorkspaces } from './workspaces.ts';

/** How often expiring tokens are looked for, in ms; they are renewed two hours before they expire. */
const RENEW_EVERY_MS = 60_000;

export function createConfiguredWorkspaces(
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
  const live = createLiveInstallations({ ...deps, installations, botToken, exchange });
  const isSingle = botToken !== undefined;
  const workspaces = createWorkspaces({ ...deps, ...stores, live, isSingle });
  let renewing: NodeJS.Timeout | undefined;
  const renew = () =>
    void live
      .renewExpiring()
      .catch((error) => log.error({ err: error }, 'could not list expiring tokens; retrying'));

  async function keepInstallation(installed: Installed, jobs: JobQueue): Promise<void> {
    const { id, installedBy, isOrganization, scopes } = installed;
    await installations.save(installed, now());
    // Drops the tokens of an earlier installation.
    workspaces.forget(id);
    log.info({ workspace: id, by: installedBy, isOrganization, scopes }, 'the app was installed');
    if (installedBy === undefined) return;
    const kind = SLACK_JOBS.greetInstaller;
    await jobs.add({ kind, workspaceId: asWorkspace(id), payload: { userId: installedBy } });
  }

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
            onInstalled: (installed) => keepInstallation(installed, jobs),
          })
        : {},

    /** @returns the workspace, if there is only one. @throws SlackTokenError; the signal's reason if aborted */
    async start({ signal }: { signal: AbortSignal }): Promise<WorkspaceId | undefined> {
      if (botToken !== undefined) {
        const install = await installationOf(botToken, { clientOptions, log, signal });
        await retryTransient(() => installations.save(install, now()), log);
        workspaces.forget(install.id);
        workspaces.serveOnly(install.id);
        return asWorkspace(install.id);
      }
      // The process that claimed a renewal has ended, perhaps without storing the new tokens.
      if (!isShared) await retryTransient(installations.endClaims, log);
      renew();
      renewing = setInterval(renew, RENEW_EVERY_MS);
      return undefined;
    },

    close: () => clearInterval(renewing),
  };
}

/** Pauses while Slack doesn't answer, doubled each time, in ms. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/** Asks until Slack answers. @throws SlackTokenError; the signal's reason if aborted */
async function installationOf(
  botToken: string,
  deps: { clientOptions: WebClientOptions; log: Log; signal: AbortSignal },
): Promise<NewInstallation> {
  for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
    try {
      const asked = await ownerOfToken(botToken, deps.clientOptions);
      if ('refused' in asked) throw new SlackTokenError('SLACK_BOT_TOKEN', asked.refused);
      const { team_id, enterprise_id, is_enterprise_install, ...owner } = asked.owner;
      if (!team_id) throw new Error('auth.test returned no workspace');
      const organizationId = is_enterprise_install ? enterprise_id : undefined;
      return {
        id: organizationId ? organizationIdOf(organizationId) : workspaceIdOf(team_id),
        botUserId: owner.user_id,
        scopes: owner.response_metadata?.scopes ?? [],
      };
    } catch (error) {
      if (error instanceof SlackTokenError) throw error;
      deps.log.warn({ err: error, waitMs: wait }, `${unansweredReason(error)}; retrying`);
      await sleep(wait, undefined, { signal: deps.signal });
    }
  }
}

const payload = z.object({ userId: z.string() });

/** Who was greeted, until the workspace uninstalls the app. */
const GREETED = onceKind('greeted');

/** Tells the person who installed the app the next step, once per installation. */
export const greetInstallerHandler =
  (clients: SlackClients, directMessages: DirectMessages): JobHandler =>
  async ({ workspaceId, payload: given }) => {
    const { userId } = payload.parse(given);
    const greeted = { kind: GREETED, owner: workspaceId, name: userId };
    const client = await clients.of(workspaceId);
    await directMessages.sendOnce(greeted, client, { workspaceId, userId }, { text: GREETING });
    return 'done';
  };

export function createRemoval(
  deleteIfUninstalled: (id: OwnerId, at?: Date) => Promise<void>,
  organizations: OrganizationWorkspaceStore,
  now: () => Date,
) {
  /** This event doesn't say whether the workspace or the organization has removed the app. */
  async function onUninstalled(body: { event_time: number }): Promise<void> {
    const { workspaceId, organizationId } = tenantOf(body);
    for (const id of [organizationId, workspaceId]) {
      if (id !== undefined) await deleteIfUninstalled(id, new Date(body.event_time * 1_000));
    }
  }

  return {
    onUninstalled,

    /** Only a revoked bot token may mean that the app is gone. */
    async onTokensRevoked(body: EnvelopedEvent<TokensRevokedEvent>): Promise<void> {
      if ((body.event.tokens.bot ?? []).length > 0) await onUninstalled(body);
    },

    async onAccessRevoked({ event }: EnvelopedEvent<TeamAccessRevokedEvent>): Promise<void> {
      for (const id of event.team_ids) await deleteIfUninstalled(workspaceIdOf(id));
    },

    async onAccessGranted(body: EnvelopedEvent<TeamAccessGrantedEvent>): Promise<void> {
      const { organizationId } = tenantOf(body);
      if (organizationId === undefined) return;
      const given = body.event.team_ids.map(workspaceIdOf);
      await organizations.add(organizationId, given, now());
    },
  };
}
