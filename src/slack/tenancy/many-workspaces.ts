import { type AuthTeamsListResponse, WebClient, type WebClientOptions } from '@slack/web-api';
import { LRUCache } from 'lru-cache';
import type { InstalledCheck } from '../../installations/installed-check.ts';
import {
  asWorkspace,
  type OrganisationId,
  type OwnerId,
  type WorkspaceId,
} from '../../installations/workspace-id.ts';
import type { Log } from '../../ops/logging.ts';
import type { Installation } from '../../store/installations.ts';
import type { OrganisationWorkspaceStore } from '../../store/organisation-workspaces.ts';
import { slackErrorCode } from '../client/errors.ts';
import type { SlackClient } from '../client/slack-client.ts';
import type { LiveInstallations } from '../install/live-installations.ts';
import { type Tenant, tenantOf } from './tenant.ts';
import { isCertainlyRevoked, isRefusedToken, isRevokedToken } from './token-error.ts';
import { botOf, NotInstalledError, type Workspaces } from './workspaces.ts';

/** A client of Slack's takes 26 KiB; a workspace beyond these gets another one. */
const KEPT_CLIENTS = 300;

/** The installation that the app acts with, and the workspace, or the organisation if none is known. */
type Acting = { install: Installation; workspaceId: WorkspaceId };

/** The workspaces that installed the app by OAuth, each by itself or through its organisation. */
export function createInstalledWorkspaces(deps: {
  live: LiveInstallations;
  organisations: OrganisationWorkspaceStore;
  installedCheck: InstalledCheck;
  clientOptions: WebClientOptions;
  now: () => Date;
  log: Log;
}): Workspaces {
  const { live, organisations, installedCheck, clientOptions, now, log } = deps;
  const clients = new LRUCache<WorkspaceId, { token: string; client: SlackClient }>({
    max: KEPT_CLIENTS,
  });

  /** The owner's own install, else that of the organisation to which it belongs. */
  async function installOf(ownerId: OwnerId): Promise<Installation | undefined> {
    const own = await live.get(ownerId);
    if (own) return own;
    const organisationId = await organisations.organisationOf(ownerId);
    return organisationId === undefined ? undefined : live.get(organisationId);
  }

  /** Which of the organisation's workspaces it is, or the organisation itself if none is known. */
  async function workspaceIn(organisationId: OrganisationId, tenant: Tenant): Promise<WorkspaceId> {
    const { workspaceId, claimedId } = tenant;
    if (workspaceId !== undefined) {
      if ((await organisations.organisationOf(workspaceId)) !== organisationId) {
        await organisations.add(organisationId, [workspaceId], now());
        log.info({ workspace: workspaceId, organisation: organisationId }, 'a workspace was met');
      }
      return workspaceId;
    }
    // Somebody of another company may press a button in a shared channel: a claim must be known.
    const known =
      claimedId === undefined
        ? undefined
        : await organisations.findWorkspace(organisationId, claimedId);
    return known ?? asWorkspace(organisationId);
  }

  async function actingAt(tenant: Tenant): Promise<Acting | undefined> {
    const { workspaceId, organisationId, isOrgWide } = tenant;
    if (isOrgWide && organisationId) {
      const install = await live.get(organisationId);
      if (install) return { install, workspaceId: await workspaceIn(organisationId, tenant) };
    }
    const id = workspaceId ?? organisationId;
    const install = id === undefined ? undefined : await installOf(id);
    return install && id !== undefined ? { install, workspaceId: asWorkspace(id) } : undefined;
  }

  function clientFor({ token, id }: Installation, workspaceId: WorkspaceId): SlackClient {
    const kept = clients.get(workspaceId);
    if (kept?.token === token) return kept.client;
    // An organization's token works in many workspaces; some methods need to know in which.
    const teamId = id === workspaceId ? {} : { teamId: workspaceId };
    const client = new WebClient(token, { ...clientOptions, ...teamId });
    clients.set(workspaceId, { token, client });
    return client;
  }

  return {
    async authorize(_source, body) {
      const tenant = tenantOf(body);
      const acting = await actingAt(tenant);
      if (!acting) throw new NotInstalledError(tenant.workspaceId ?? tenant.organisationId);
      const { install, workspaceId } = acting;
      return { client: clientFor(install, workspaceId), teamId: workspaceId, ...botOf(install) };
    },

    async admit(tenant) {
      const { workspaceId, organisationId, isOrgWide } = tenant;
      // Also where its token can't be had for the moment: the event is kept for when it can.
      if (isOrgWide && organisationId && (await installedCheck.has(organisationId))) {
        return workspaceIn(organisationId, tenant);
      }
      const id = workspaceId ?? organisationId;
      return id !== undefined && (await installedCheck.has(id)) ? asWorkspace(id) : undefined;
    },

    async of(workspaceId) {
      const install = await installOf(workspaceId);
      if (!install) throw new NotInstalledError(workspaceId);
      return clientFor(install, workspaceId);
    },

    has: installedCheck.has,

    async isInstalled(id, { isToldGone }) {
      const install = await live.peek(id);
      // Known by its bot token before, it may install the app by OAuth any day.
      if (!install) return !isToldGone;
      const refused = await whyRefused(install.token, clientOptions);
      if (refused === undefined) return true;
      const rotates = install.refreshToken !== undefined;
      if (!isToldGone) return !isCertainlyRevoked(refused, { rotates });
      // With token rotation, a token expires or is revoked by itself while the app stays installed.
      if (rotates) return live.renew(install);
      if (isRevokedToken(refused)) return false;
      throw new Error(`Slack does not take the token of ${id}: ${refused}`);
    },

    async isGranted(workspaceId, organisationId) {
      const install = await live.get(organisationId);
      return (
        install !== undefined && hasTeam(new WebClient(install.token, clientOptions), workspaceId)
      );
    },

    forget(id) {
      live.forget(id);
      installedCheck.forget(id);
      clients.delete(asWorkspace(id));
    },

    isReady: () => true,
  };
}

/** @returns Slack's code, or undefined where it takes the token. @throws where it does not say */
async function whyRefused(
  token: string,
  clientOptions: WebClientOptions,
): Promise<string | undefined> {
  try {
    await new WebClient(token, clientOptions).auth.test();
    return undefined;
  } catch (error) {
    const code = slackErrorCode(error);
    if (code === undefined || !isRefusedToken(code)) throw error;
    return code;
  }
}

/** The most that `auth.teams.list` gives at a time (docs.slack.dev/reference/methods/auth.teams.list). */
const TEAMS_PAGE = 1_000;

async function hasTeam(client: SlackClient, workspaceId: WorkspaceId): Promise<boolean> {
  for await (const page of client.paginate('auth.teams.list', { limit: TEAMS_PAGE })) {
    const { teams = [] } = page as AuthTeamsListResponse;
    if (teams.some(({ id }) => id === workspaceId)) return true;
  }
  return false;
}
