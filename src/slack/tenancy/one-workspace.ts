import { setTimeout } from 'node:timers/promises';
import { WebClient, type WebClientOptions } from '@slack/web-api';
import type { InstalledCheck } from '../../installations/installed-check.ts';
import {
  asWorkspace,
  type OrganizationId,
  type OwnerId,
  organizationIdOf,
  type WorkspaceId,
  workspaceIdOf,
} from '../../installations/workspace-id.ts';
import type { Log } from '../../ops/logging.ts';
import { slackErrorCode, whyUnanswered } from '../client/errors.ts';
import { tenantOf } from './tenant.ts';
import { isCertainlyRevoked, isRefusedToken, SlackTokenError } from './token-error.ts';
import { botOf, NotInstalledError, type Workspaces } from './workspaces.ts';

export type WorkspaceIdentity = {
  workspaceId: WorkspaceId;
  enterpriseId: OrganizationId | undefined;
  botId: string | undefined;
  botUserId: string | undefined;
};

/** The single workspace of a bot token. */
export type SingleWorkspace = Workspaces & {
  /**
   * Asks Slack whose token it is and caches the answer, but not a failure.
   *
   * @throws SlackTokenError if Slack refuses the token
   */
  identify(): Promise<WorkspaceIdentity>;
};

/** @param deps.remember records the installation in the database; an uninstall deletes it */
export function createSingleWorkspace(deps: {
  botToken: string;
  clientOptions: WebClientOptions;
  remember: (workspaceId: WorkspaceId) => Promise<void>;
  installedCheck: InstalledCheck;
}): SingleWorkspace {
  const { botToken, clientOptions, remember, installedCheck } = deps;
  const client = new WebClient(botToken, clientOptions);
  let known: WorkspaceIdentity | undefined;
  let pending: Promise<WorkspaceIdentity> | undefined;

  async function ask(): Promise<WorkspaceIdentity> {
    try {
      const answer = await client.auth.test();
      const { team_id, enterprise_id } = answer;
      if (!team_id) throw new Error('auth.test named no workspace');
      return {
        workspaceId: workspaceIdOf(team_id),
        enterpriseId: enterprise_id ? organizationIdOf(enterprise_id) : undefined,
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
      pending = undefined;
    }
  }

  async function identify(): Promise<WorkspaceIdentity> {
    if (known) return known;
    pending ??= askAndRemember();
    return pending;
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
      // Until the token is identified, accept everything and decide later.
      return (
        known === undefined ||
        (isMine(workspaceId, known) && (await installedCheck.has(workspaceId)))
      );
    },

    async admit(tenant) {
      const target = tenant.workspaceId ?? tenant.organizationId;
      if (target === undefined) return undefined;
      if (known === undefined) return asWorkspace(target);
      if (!isMine(target, known)) return undefined;
      return (await installedCheck.has(known.workspaceId)) ? known.workspaceId : undefined;
    },

    async authorize(_source, body) {
      const identity = await identify();
      // Interactions from other companies are refused later, with an explanation.
      const tenant = tenantOf(body);
      if (tenant.isEvent) {
        const target = tenant.workspaceId ?? tenant.organizationId;
        if (target !== undefined && !isMine(target, identity)) throw new NotInstalledError(target);
      }
      return { client, teamId: identity.workspaceId, ...botOf(identity) };
    },
  };
}

const isMine = (id: OwnerId, { workspaceId, enterpriseId }: WorkspaceIdentity) =>
  id === workspaceId || id === enterpriseId;

/** Pauses while Slack doesn't answer, doubled each time, in ms. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Retries until Slack answers; meanwhile `/readyz` reports "not ready".
 *
 * @throws SlackTokenError if Slack refuses the token; the signal's reason if aborted
 */
export async function identifyWithRetries(
  workspace: SingleWorkspace,
  { log, signal }: { log: Log; signal: AbortSignal },
): Promise<WorkspaceIdentity> {
  for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
    try {
      return await workspace.identify();
    } catch (error) {
      if (error instanceof SlackTokenError) throw error;
      log.warn({ err: error, waitMs: wait }, `${whyUnanswered(error)}; retrying`);
      await setTimeout(wait, undefined, { signal });
    }
  }
}
