import { type AuthTeamsListResponse, WebClient, type WebClientOptions } from '@slack/web-api';
import { LRUCache } from 'lru-cache';
import type { InstalledCheck } from '../../installations/installed-check.ts';
import {
  asWorkspace,
  type OrganizationId,
  type OwnerId,
  type WorkspaceId,
} from '../../installations/workspace-id.ts';
import type { Log } from '../../ops/logging.ts';
import type { Installation } from '../../store/installations.ts';
import type { OrganizationWorkspaceStore } from '../../store/organization-workspaces.ts';
import { slackErrorCode } from '../client/errors.ts';
import type { SlackClient } from '../client/slack-client.ts';
import type { LiveInstallations } from './live-installations.ts';
import { type Tenant, tenantOf } from './tenant.ts';
import { isCertainlyRevoked, isRefusedToken, isRevokedToken } from './token-error.ts';
import { botOf, NotInstalledError, type Workspaces } from './workspaces.ts';

/** Each takes 26 KiB. Creating one takes 30 µs, so this only needs to cover those that are used all the time. */
const MAX_CLIENTS = 20;

/**
 * The installation to use, and the workspace it is used for (the organization if no workspace is
 * known).
 */
type Acting = { install: Installation; workspaceId: WorkspaceId };

/** Workspaces that installed the app through OAuth, themselves or through their organization. */
export function createInstalledWorkspaces(deps: {
  live: LiveInstallations;
  organizations: OrganizationWorkspaceStore;
  installedCheck: InstalledCheck;
  clientOptions: WebClientOptions;
  now: () => Date;
  log: Log;
}): Workspaces {
  const { live, organizations, installedCheck, clientOptions, now, log } = deps;
  const clients = new LRUCache<WorkspaceId, { token: string; client: SlackClient }>({
    max: MAX_CLIENTS,
  });

  /** Its own installation, or that of its organization. */
  async function installOf(ownerId: OwnerId): Promise<Installation | undefined> {
    const own = await live.get(ownerId);
    if (own) return own;
    const organizationId = await organizations.organizationOf(ownerId);
    return organizationId === undefined ? undefined : live.get(organizationId);
  }

  /** The workspace within the organization; the organization itself if none is known. */
  async function workspaceIn(organizationId: OrganizationId, tenant: Tenant): Promise<WorkspaceId> {
    const { workspaceId, claimedId } = tenant;
    if (workspaceId !== undefined) {
      if ((await organizations.organizationOf(workspaceId)) !== organizationId) {
        await organizations.add(organizationId, [workspaceId], now());
        log.info(
          { workspace: workspaceId, organization: organizationId },
          'first delivery from a workspace of an organization',
        );
      }
      return workspaceId;
    }
    // In a shared channel, the claimed ID may be another company's workspace, so it only counts if
    // it is known to belong to the organization.
    const known =
      claimedId === undefined
        ? undefined
        : await organizations.findWorkspace(organizationId, claimedId);
    return known ?? asWorkspace(organizationId);
  }

  async function actingAt(tenant: Tenant): Promise<Acting | undefined> {
    const { workspaceId, organizationId, isOrgWide } = tenant;
    if (isOrgWide && organizationId) {
      const install = await live.get(organizationId);
      if (install) return { install, workspaceId: await workspaceIn(organizationId, tenant) };
    }
    const id = workspaceId ?? organizationId;
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
      if (!acting) throw new NotInstalledError(tenant.workspaceId ?? tenant.organizationId);
      const { install, workspaceId } = acting;
      return { client: clientFor(install, workspaceId), teamId: workspaceId, ...botOf(install) };
    },

    async admit(tenant) {
      const { workspaceId, organizationId, isOrgWide } = tenant;
      // Also if its token can't be decrypted or renewed right now: the event is stored until it
      // can.
      if (isOrgWide && organizationId && (await installedCheck.has(organizationId))) {
        return workspaceIn(organizationId, tenant);
      }
      const id = workspaceId ?? organizationId;
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
      // Installed with a bot token earlier, it may still be installed through OAuth.
      if (!install) return !isToldGone;
      const refused = await whyRefused(install.token, clientOptions);
      if (refused === undefined) return true;
      const rotates = install.refreshToken !== undefined;
      if (!isToldGone) return !isCertainlyRevoked(refused, { rotates });
      // With token rotation, a token can expire or be revoked while the app stays installed.
      if (rotates) return live.renew(install);
      if (isRevokedToken(refused)) return false;
      throw new Error(`Slack rejects the token of ${id}: ${refused}`);
    },

    async isGranted(workspaceId, organizationId) {
      const install = await live.get(organizationId);
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

/**
 * @returns Slack's code, or undefined if it accepts the token
 * @throws if Slack can't be reached
 */
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

/** Maximum page size of `auth.teams.list` (docs.slack.dev/reference/methods/auth.teams.list). */
const TEAMS_PAGE_SIZE = 1_000;

async function hasTeam(client: SlackClient, workspaceId: WorkspaceId): Promise<boolean> {
  for await (const page of client.paginate('auth.teams.list', { limit: TEAMS_PAGE_SIZE })) {
    const { teams = [] } = page as AuthTeamsListResponse;
    if (teams.some(({ id }) => id === workspaceId)) return true;
  }
  return false;
}
