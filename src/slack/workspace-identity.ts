import { setTimeout } from 'node:timers/promises';
import type { AuthorizeResult, AuthorizeSourceData } from '@slack/bolt';
import { WebClient, type WebClientOptions } from '@slack/web-api';
import type { Log } from '../ops/logging.ts';
import { readEnvelope } from './intake/envelope.ts';
import type { SlackClients } from './slack-client.ts';
import { slackErrorCode } from './slack-errors.ts';

/** Slack does not take the bot token; nothing will work until it is replaced. */
export class BotTokenError extends Error {
  constructor(code: string) {
    super(
      `Slack refused SLACK_BOT_TOKEN (${code}). Copy it again from api.slack.com/apps → your app → OAuth & Permissions, or reinstall the app there.`,
    );
    this.name = 'BotTokenError';
  }
}

export type WorkspaceIdentity = {
  workspaceId: string;
  enterpriseId: string | undefined;
  botId: string | undefined;
  botUserId: string | undefined;
};

/** The one workspace that a bot token stands for. */
export type SingleWorkspace = SlackClients & {
  /**
   * Asks Slack whose token it is, once; a failure is asked again by the next call.
   *
   * @throws BotTokenError where Slack refuses the token
   */
  identify(): Promise<WorkspaceIdentity>;
  isIdentified(): boolean;
  /**
   * Asks Slack whether the token works at this moment.
   *
   * @throws Slack's error where it does not say
   */
  isInstalled(): Promise<boolean>;
  /** Bolt's `authorize`: deliveries for another workspace are refused. */
  authorize(source: AuthorizeSourceData<boolean>, body?: unknown): Promise<AuthorizeResult>;
};

/** What Slack answers to a token that will not work by waiting. */
const REFUSED_TOKEN = new Set([
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'token_expired',
  'not_allowed_token_type',
]);

export function createSingleWorkspace(deps: {
  botToken: string;
  clientOptions: WebClientOptions;
}): SingleWorkspace {
  const { botToken, clientOptions } = deps;
  const client = new WebClient(botToken, clientOptions);
  let known: WorkspaceIdentity | undefined;
  let asking: Promise<WorkspaceIdentity> | undefined;

  async function ask(): Promise<WorkspaceIdentity> {
    try {
      const answer = await client.auth.test();
      if (!answer.team_id) throw new Error('auth.test named no workspace');
      known = {
        workspaceId: answer.team_id,
        enterpriseId: answer.enterprise_id,
        botId: answer.bot_id,
        botUserId: answer.user_id,
      };
      return known;
    } catch (error) {
      const code = slackErrorCode(error);
      throw code && REFUSED_TOKEN.has(code) ? new BotTokenError(code) : error;
    } finally {
      asking = undefined;
    }
  }

  async function identify(): Promise<WorkspaceIdentity> {
    if (known) return known;
    asking ??= ask();
    return asking;
  }

  return {
    identify,
    isIdentified: () => known !== undefined,
    isInstalled: () =>
      ask().then(
        () => true,
        (error: unknown) => {
          if (error instanceof BotTokenError) return false;
          throw error;
        },
      ),
    of: async () => client,

    async authorize(_source, body) {
      const { workspaceId, enterpriseId, botId, botUserId } = await identify();
      // An interaction may come from somebody of another company, who is refused with words later.
      const envelope = readEnvelope(body);
      const meant = envelope.kind === 'event' ? envelope.workspaceId : undefined;
      if (meant !== undefined && meant !== workspaceId && meant !== enterpriseId) {
        throw new Error(`an event for ${meant}, which is not the workspace of SLACK_BOT_TOKEN`);
      }
      return { botToken, botId, botUserId, teamId: workspaceId, enterpriseId };
    },
  };
}

/** Waits between questions while Slack does not answer: doubled each time, in ms. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;

/**
 * Asks until Slack answers; meanwhile `/readyz` says that the app is not ready.
 *
 * @throws BotTokenError where Slack refuses the token; the signal's reason where it is aborted
 */
export async function identifyPatiently(
  workspace: SingleWorkspace,
  { log, signal }: { log: Log; signal: AbortSignal },
): Promise<WorkspaceIdentity> {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    try {
      return await workspace.identify();
    } catch (error) {
      if (error instanceof BotTokenError) throw error;
      log.warn({ err: error, waitMs: wait }, 'Slack does not answer, asked again');
      await setTimeout(wait, undefined, { signal });
    }
  }
}
