import type { AuthorizeSourceData } from '@slack/bolt';
import { type AuthTeamsListResponse, WebClient, type WebClientOptions } from '@slack/web-api';
import {
  asWorkspace,
  type OrganizationId,
  type OwnerId,
  type WorkspaceId,
} from '../../installations/workspace-id.ts';
import type { Log } from '../../ops/logging.ts';
import type { Installation } from '../../store/installations.ts';
import type { OrganizationWorkspaceStore } from '../../store/organization-workspaces.ts';
import { isCertainlyRevoked, isRevokedToken } from '../client/errors.ts';
import type { SlackClient } from '../client/slack-client.ts';
import type { LiveInstallations } from './live-installations.ts';
import { type Tenant, tenantOf } from './tenant.ts';
import { ownerOfToken } from './token-exchange.ts';

export class NotInstalledError extends Error {
  constructor(ownerId: OwnerId | undefined) {
    super(`the app is not installed in ${ownerId ?? 'an unnamed workspace'}`);
    this.name = 'NotInstalledError';
  }
}

/** Maximum page size of `auth.teams.list` (docs.slack.dev/reference/methods/auth.teams.list). */
const TEAMS_PAGE_SIZE = 1_000;

export type Workspaces = ReturnType<typeof createWorkspaces>;

/** The workspaces with the app: those that installed it themselves, or through their organization. */
export function createWorkspaces(deps: {
  live: LiveInstallations;
  organizations: OrganizationWorkspaceStore;
  clientOptions: WebClientOptions;
  /** Whether only the installation of SLACK_BOT_TOKEN is used, whatever else is stored. */
  isSingle: boolean;
  now: () => Date;
  log: Log;
}) {
  const { live, organizations, clientOptions, isSingle, now, log } = deps;
  /** The installation of SLACK_BOT_TOKEN. Until Slack has said whose it is, those of earlier starts are used. */
  let servedOnly: OwnerId | undefined;
  /** Making a client takes as long as everything else that acknowledges a press. */
  const clients = new WeakMap<Installation, SlackClient>();

  const isServed = (installedIn: OwnerId) => servedOnly === undefined || installedIn === servedOnly;
  const find = async (id: OwnerId) => (isServed(id) ? live.get(id) : undefined);

  /** Its own installation, or that of its organization. */
  async function installOf(ownerId: OwnerId): Promise<Installation | undefined> {
    const own = await find(ownerId);
    if (own) return own;
    const organizationId = await organizations.organizationOf(ownerId);
    return organizationId === undefined ? undefined : find(organizationId);
  }

  async function has(id: OwnerId): Promise<boolean> {
    if (!isServed(id)) return (await organizations.organizationOf(id)) === servedOnly;
    return (await live.isStored(id)) || (await organizations.organizationOf(id)) !== undefined;
  }

  /** The workspace within the organization; the organization itself if none is known. */
  async function workspaceIn(organizationId: OrganizationId, tenant: Tenant): Promise<WorkspaceId> {
    const { workspaceId, claimedId } = tenant;
    if (workspaceId !== undefined) {
      if ((await organizations.organizationOf(workspaceId)) !== organizationId) {
        await organizations.add(organizationId, [workspaceId], now());
        const about = { workspace: workspaceId, organization: organizationId };
        log.info(about, 'first delivery from a workspace of an organization');
      }
      return workspaceId;
    }
    const known = claimedId && (await organizations.findWorkspace(organizationId, claimedId));
    return known || asWorkspace(organizationId);
  }

  /**
   * The workspace that a delivery is for (the organization if none is known); undefined if neither has the app. Its
   * token may be unusable right now: an event is stored until that has changed.
   *
   * @throws if that isn't known yet, so that Slack sends it again
   */
  async function admit(tenant: Tenant, hasApp = has): Promise<WorkspaceId | undefined> {
    const { workspaceId, organizationId, isOrgWide } = tenant;
    if (isOrgWide && organizationId && (await hasApp(organizationId))) {
      return workspaceIn(organizationId, tenant);
    }
    const id = workspaceId ?? organizationId;
    if (id !== undefined && (await hasApp(id))) return asWorkspace(id);
    if (isSingle && servedOnly === undefined)
      throw new Error('Slack has not said yet which workspace SLACK_BOT_TOKEN is for');
    return undefined;
  }

  /** With one bot token, interactions from other companies are refused later, with an explanation. */
  const workspaceForRefusal = ({ isEvent }: Tenant) =>
    isEvent || !servedOnly ? undefined : asWorkspace(servedOnly);

  function clientFor(install: Installation, workspaceId: WorkspaceId): SlackClient {
    const { token, id } = install;
    // An organization's token works in many workspaces; some methods need to know in which.
    if (id !== workspaceId) return new WebClient(token, { ...clientOptions, teamId: workspaceId });
    const client = clients.get(install) ?? new WebClient(token, clientOptions);
    clients.set(install, client);
    return client;
  }

  return {
    serveOnly(id: OwnerId) {
      servedOnly = id;
    },

    isReady: () => !isSingle || servedOnly !== undefined,

    /**
     * Bolt's `authorize`: finds the client and the workspace. It returns no token, since Bolt would
     * keep a client for every workspace and every renewed token forever.
     *
     * @throws NotInstalledError if the app is not installed there
     */
    async authorize(_source: AuthorizeSourceData<boolean>, body?: unknown) {
      const tenant = tenantOf(body);
      let install: Installation | undefined;
      // A workspace's own installation comes before that of its organization, which is known to be there.
      const open = async (id: OwnerId) => {
        if (id !== tenant.workspaceId) return has(id);
        install = await installOf(id);
        return install !== undefined;
      };
      const workspaceId = (await admit(tenant, open)) ?? workspaceForRefusal(tenant);
      if (workspaceId) install ??= await installOf(workspaceId);
      if (!workspaceId || !install)
        throw new NotInstalledError(tenant.workspaceId ?? tenant.organizationId);
      const { botUserId } = install;
      // Bolt ignores events that its own bot has caused.
      const bot = botUserId ? { botUserId } : {};
      return { client: clientFor(install, workspaceId), teamId: workspaceId, ...bot };
    },

    admit,

    /** @throws NotInstalledError */
    async of(workspaceId: WorkspaceId): Promise<SlackClient> {
      const install = await installOf(workspaceId);
      if (!install) throw new NotInstalledError(workspaceId);
      return clientFor(install, workspaceId);
    },

    /** Whether a workspace has the app, according to the database; Slack is not asked. */
    has,

    /**
     * Asks Slack. Unless it has reported an uninstall, only an answer that can't mean anything else counts.
     *
     * @throws Slack's error if it doesn't answer
     */
    async isInstalled(id: OwnerId, { isUninstallReported }: { isUninstallReported: boolean }) {
      const install = await live.find(id);
      // Once OAuth is set up, an installation stored for SLACK_BOT_TOKEN has no token to ask with.
      if (!install) return !isUninstallReported;
      const asked = await ownerOfToken(install.token, clientOptions);
      if ('owner' in asked) return true;
      const { refused } = asked;
      const rotates = install.refreshToken !== undefined;
      if (!isUninstallReported) return !isCertainlyRevoked(refused, { rotates });
      // With token rotation, a token can expire or be revoked while the app stays installed.
      if (rotates) return live.renew(install);
      if (isRevokedToken(refused)) return false;
      throw new Error(`Slack rejects the token of ${id}: ${refused}`);
    },

    /** Asks Slack whether the organization's installation still includes the workspace. */
    async isGranted(workspaceId: WorkspaceId, organizationId: OrganizationId): Promise<boolean> {
      const install = await live.get(organizationId);
      if (!install) return false;
      const client = new WebClient(install.token, clientOptions);
      for await (const page of client.paginate('auth.teams.list', { limit: TEAMS_PAGE_SIZE })) {
        const { teams = [] } = page as AuthTeamsListResponse;
        if (teams.some(({ id }) => id === workspaceId)) return true;
      }
      return false;
    },

    forget: live.forget,
  };
}
