import { setTimeout as sleep } from 'node:timers/promises';
import { WebClient, type WebClientOptions } from '@slack/web-api';
import { organizationIdOf, workspaceIdOf } from '../../installations/workspace-id.ts';
import type { Log } from '../../ops/logging.ts';
import type { NewInstallation } from '../../store/installations.ts';
import { slackErrorCode, whyUnanswered } from '../client/errors.ts';
import { isRefusedToken, SlackTokenError } from './token-error.ts';

/** Pauses while Slack doesn't answer, doubled each time, in ms. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/**
 * The installation to which SLACK_BOT_TOKEN belongs, without the token. Asks until Slack answers.
 *
 * @throws SlackTokenError if Slack refuses the token; the signal's reason if aborted
 */
export async function installationOf(
  botToken: string,
  {
    clientOptions,
    log,
    signal,
  }: { clientOptions: WebClientOptions; log: Log; signal: AbortSignal },
): Promise<NewInstallation> {
  const client = new WebClient(botToken, clientOptions);
  for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
    try {
      return await ask(client);
    } catch (error) {
      const code = slackErrorCode(error);
      if (code && isRefusedToken(code)) throw new SlackTokenError('SLACK_BOT_TOKEN', code);
      log.warn({ err: error, waitMs: wait }, `${whyUnanswered(error)}; retrying`);
      await sleep(wait, undefined, { signal });
    }
  }
}

async function ask(client: WebClient): Promise<NewInstallation> {
  const answer = await client.auth.test();
  const { team_id, enterprise_id, is_enterprise_install } = answer;
  if (!team_id) throw new Error('auth.test named no workspace');
  const ofOrganization = is_enterprise_install ? enterprise_id : undefined;
  return {
    id: ofOrganization ? organizationIdOf(ofOrganization) : workspaceIdOf(team_id),
    botId: answer.bot_id,
    botUserId: answer.user_id,
    scopes: answer.response_metadata?.scopes ?? [],
  };
}
