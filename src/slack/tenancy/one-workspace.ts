import { setTimeout } from 'node:timers/promises';
import { WebClient, type WebClientOptions } from '@slack/web-api';
import type { InstalledCheck } from '../../installations/installed-check.ts';
import {
  asWorkspace,
  type OrganisationId,
  type OwnerId,
  organisationIdOf,
  type WorkspaceId,
  workspaceIdOf,
} from '../../installations/workspace-id.ts';
import type { Log } from '../../ops/logging.ts';
import { slackErrorCode } from '../client/errors.ts';
import { tenantOf } from './tenant.ts';
import { isCertainlyRevoked, isRefusedToken, SlackTokenError } from './token-error.ts';
import { botOf, NotInstalledError, type Workspaces } from './workspaces.ts';

export type WorkspaceIdentity = {
  workspaceId: WorkspaceId;
  enterpriseId: OrganisationId | undefined;
  botId: string | undefined;
  botUserId: string | undefined;
};

/** The one workspace that a bot token stands for. */
export type SingleWorkspace = Workspaces & {
  /**
   * Asks Slack whose token it is, once; a failure is asked again by the next call.
   *
   * @throws SlackTokenError where Slack refuses the token
   */
  identify(): Promise<WorkspaceIdentity>;
};

/** @param deps.remember keeps in the database that the app is there; an uninstall deletes it */
export function createSingleWorkspace(deps: {
  botToken: string;
  clientOptions: WebClientOptions;
  remember: (workspaceId: WorkspaceId) => Promise<void>;
  installedCheck: InstalledCheck;
}): SingleWorkspace {
  const { botToken, clientOptions, remember, installedCheck } = deps;
  const client = new WebClient(botToken, clientOptions);
  let known: WorkspaceIdentity | undefined;
  let asking: Promise<WorkspaceIdentity> | undefined;

  async function ask(): Promise<WorkspaceIdentity> {
    try {
      const answer = await client.auth.test();
      const { team_id, enterprise_id } = answer;
      if (!team_id) throw new Error('auth.test named no workspace');
      return {
        workspaceId: workspaceIdOf(team_id),
        enterpriseId: enterprise_id ? organisationIdOf(enterprise_id) : undefined,
        botId: answer.bot_id,
        botUserId: answer.user_id,
      };
    } catch (error) {
      const code = slackErrorCode(error);
      throw code && isRefusedToken(code) ? new SlackTokenError('SLACK_BOT_TOKEN', code) : error;
    }
  }

  async function askAndRemember(): Promise<WorkspaceIdentity> {
    try {
      const identity = await ask();
      await remember(identity.workspaceId);
      known = identity;
      return identity;
    } finally {
      asking = undefined;
    }
  }

  async function identify(): Promise<WorkspaceIdentity> {
    if (known) return known;
    asking ??= askAndRemember();
    return asking;
  }

  return {
    identify,
    isReady: () => known !== undefined,
    isInstalled: (_id, { isToldGone }) =>
      ask().then(
        () => true,
        (error: unknown) => {
          if (!(error instanceof SlackTokenError)) throw error;
          return !isToldGone && !isCertainlyRevoked(error.code, { rotates: false });
        },
      ),
    of: async () => client,

    isGranted: async () => false,
    forget: installedCheck.forget,

    async has(workspaceId) {
      // Until Slack has said whose token it is, what comes in is kept for then.
      return (
        known === undefined ||
        (isMine(workspaceId, known) && (await installedCheck.has(workspaceId)))
      );
    },

    async admit(tenant) {
      const meant = tenant.workspaceId ?? tenant.organisationId;
      if (meant === undefined) return undefined;
      if (known === undefined) return asWorkspace(meant);
      if (!isMine(meant, known)) return undefined;
      return (await installedCheck.has(known.workspaceId)) ? known.workspaceId : undefined;
    },

    async authorize(_source, body) {
      const identity = await identify();
      // An interaction may come from somebody of another company, who is refused with words later.
      const tenant = tenantOf(body);
      if (tenant.isEvent) {
        const meant = tenant.workspaceId ?? tenant.organisationId;
        if (meant !== undefined && !isMine(meant, identity)) throw new NotInstalledError(meant);
      }
      return { client, teamId: identity.workspaceId, ...botOf(identity) };
    },
  };
}

const isMine = (id: OwnerId, { workspaceId, enterpriseId }: WorkspaceIdentity) =>
  id === workspaceId || id === enterpriseId;

/** Waits between questions while Slack does not answer: doubled each time, in ms. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;

/**
 * Asks until Slack answers; meanwhile `/readyz` says that the app is not ready.
 *
 * @throws SlackTokenError where Slack refuses the token; the signal's reason where it is aborted
 */
export async function identifyPatiently(
  workspace: SingleWorkspace,
  { log, signal }: { log: Log; signal: AbortSignal },
): Promise<WorkspaceIdentity> {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    try {
      return await workspace.identify();
    } catch (error) {
      if (error instanceof SlackTokenError) throw error;
      log.warn({ err: error, waitMs: wait }, 'Slack does not answer, asked again');
      await setTimeout(wait, undefined, { signal });
    }
  }
}
