import { problemWith } from '../../config/settings.ts';
import { SlackTokenError } from '../../slack/tenancy/token-error.ts';
import { askSlack } from '../ask-slack.ts';
import { appIdOf } from '../doctor/context.ts';
import type { Judged } from './ask.ts';

type Named = 'SLACK_BOT_TOKEN' | 'SLACK_APP_TOKEN';

async function askWith(setting: Named, token: string, apiUrl: string) {
  const problem = problemWith(setting, token);
  if (problem) return { problem: `${setting} ${problem}` };
  const method = setting === 'SLACK_BOT_TOKEN' ? 'auth.test' : 'apps.connections.open';
  const answer = await askSlack({ apiUrl, token }, method);
  if (answer.kind === 'unreachable')
    return { problem: `Slack can’t be reached (${answer.reason}).` };
  const { ok, error = '' } = answer.body;
  return ok ? { body: answer.body } : { problem: new SlackTokenError(setting, error).message };
}

/** @returns the token, and the workspace that it is for */
export async function judgeBotToken(
  token: string,
  { apiUrl, appId }: { apiUrl: string; appId: string | undefined },
): Promise<Judged<{ token: string; workspace: string }>> {
  const asked = await askWith('SLACK_BOT_TOKEN', token, apiUrl);
  if (asked.problem !== undefined) return { problem: asked.problem };
  const actual = appId && (await appIdOf({ apiUrl, token }, asked.body));
  if (actual && actual !== appId) {
    return { problem: `That token belongs to another app (${actual}), not to ${appId}.` };
  }
  return { value: { token, workspace: String(asked.body.team) } };
}

export async function judgeAppToken(
  token: string,
  { apiUrl, appId }: { apiUrl: string; appId: string | undefined },
): Promise<Judged<string>> {
  const asked = await askWith('SLACK_APP_TOKEN', token, apiUrl);
  if (asked.problem !== undefined) return { problem: asked.problem };
  const actual = /^xapp-\d+-(A[A-Z0-9]+)-/.exec(token)?.[1];
  if (appId && actual && actual !== appId) {
    return { problem: `That token belongs to another app (${actual}), not to ${appId}.` };
  }
  return { value: token };
}
