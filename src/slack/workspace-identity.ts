import { setTimeout } from 'node:timers/promises';
import type { AuthorizeResult, AuthorizeSourceData } from '@slack/bolt';
import { WebClient, type WebClientOptions } from '@slack/web-api';
import type { Log } from '../ops/logging.ts';
import { readEnvelope } from './intake/envelope.ts';
import type { SlackClients } from './slack-client.ts';
import { slackErrorCode } from './slack-errors.ts';
import { isRefusedToken, SlackTokenError } from './token-error.ts';

/** An event is authorised for a workspace that the app has no token of. */
export class OtherWorkspaceError extends Error {
  constructor(workspaceId: string) {
    super(`an event for ${workspaceId}, which is not the workspace of SLACK_BOT_TOKEN`);
    this.name = 'OtherWorkspaceError';
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
   * @throws SlackTokenError where Slack refuses the token
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
      throw code && isRefusedToken(code) ? new SlackTokenError('SLACK_BOT_TOKEN', code) : error;
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
          if (error instanceof SlackTokenError) return false;
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
        throw new OtherWorkspaceError(meant);
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
