import { type AuthTeamsListResponse, WebClient, type WebClientOptions } from '@slack/web-api';
import { LRUCache } from 'lru-cache';
import { upTo } from '../bounded.ts';
import type { Log } from '../ops/logging.ts';
import type { Installation } from '../store/installations.ts';
import type { OrganisationWorkspaceStore } from '../store/organisation-workspaces.ts';
import type { Presence } from '../workspaces/presence.ts';
import {
  asWorkspace,
  type OrganisationId,
  type OwnerId,
  type WorkspaceId,
} from '../workspaces/workspace-id.ts';
import type { LiveInstallations } from './install/live-installations.ts';
import { type Place, placeOf } from './place.ts';
import type { SlackClient } from './slack-client.ts';
import { slackErrorCode } from './slack-errors.ts';
import { isCertainlyRevoked, isRefusedToken, isRevokedToken } from './token-error.ts';
import { NotInstalledError, type Workspaces } from './workspaces.ts';

/** A client of Slack's takes 26 KiB; a workspace beyond these gets another one. */
const KEPT_CLIENTS = 300;

/** With which install the app acts, and in which workspace, or the organisation in its place. */
type Acting = { install: Installation; workspaceId: WorkspaceId };

/** The workspaces that installed the app by OAuth, each by itself or through its organisation. */
export function createInstalledWorkspaces(deps: {
  live: LiveInstallations;
  organisations: OrganisationWorkspaceStore;
  presence: Presence;
  clientOptions: WebClientOptions;
  now: () => Date;
  log: Log;
}): Workspaces {
  const { live, organisations, presence, clientOptions, now, log } = deps;
  const clients = new LRUCache<WorkspaceId, { token: string; client: SlackClient }>(
    upTo(KEPT_CLIENTS),
  );

  /** The owner's own install, else that of the organisation to which it belongs. */
  async function installOf(ownerId: OwnerId): Promise<Installation | undefined> {
    const own = await live.get(ownerId);
    if (own) return own;
    const organisationId = await organisations.organisationOf(ownerId);
    return organisationId === undefined ? undefined : live.get(organisationId);
  }

  /** Which of the organisation's workspaces it is; the organisation in its place where none is known. */
  async function workspaceIn(organisationId: OrganisationId, place: Place): Promise<WorkspaceId> {
    const { workspaceId, claimedId } = place;
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

  async function actingAt(place: Place): Promise<Acting | undefined> {
    const { workspaceId, organisationId, isOrgWide } = place;
    if (isOrgWide && organisationId) {
      const install = await live.get(organisationId);
      if (install) return { install, workspaceId: await workspaceIn(organisationId, place) };
    }
    const id = workspaceId ?? organisationId;
    const install = id === undefined ? undefined : await installOf(id);
    return install && id !== undefined ? { install, workspaceId: asWorkspace(id) } : undefined;
  }

  return {
    async authorize(_source, body) {
      const place = placeOf(body);
      const acting = await actingAt(place);
      if (!acting) throw new NotInstalledError(place.workspaceId ?? place.organisationId);
      const { install, workspaceId } = acting;
      return {
        botToken: install.token,
        botId: install.botId,
        botUserId: install.botUserId,
        teamId: workspaceId,
        enterpriseId: place.organisationId,
      };
    },

    async admit(place) {
      const { workspaceId, organisationId, isOrgWide } = place;
      // Also where its token can't be had for the moment: the event is kept for when it can.
      if (isOrgWide && organisationId && (await presence.has(organisationId))) {
        return workspaceIn(organisationId, place);
      }
      const id = workspaceId ?? organisationId;
      return id !== undefined && (await presence.has(id)) ? asWorkspace(id) : undefined;
    },

    async of(workspaceId) {
      const install = await installOf(workspaceId);
      if (!install) throw new NotInstalledError(workspaceId);
      const { token, id } = install;
      const kept = clients.get(workspaceId);
      if (kept?.token === token) return kept.client;
      // An organisation's token works in many workspaces; some methods want to know in which.
      const teamId = id === workspaceId ? {} : { teamId: workspaceId };
      const client = new WebClient(token, { ...clientOptions, ...teamId });
      clients.set(workspaceId, { token, client });
      return client;
    },

    has: presence.has,

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
      presence.forget(id);
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
