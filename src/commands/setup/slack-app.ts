import { parse } from 'yaml';
import { z } from 'zod';
import { problemWith } from '../../config/settings.ts';
import { SlackTokenError } from '../../slack/client/errors.ts';
import { askSlack } from '../ask-slack.ts';
import { appIdOf } from '../doctor/check.ts';
import type { Judged } from './ask.ts';

export type CreatedApp = {
  appId: string;
  clientId: string;
  clientSecret: string;
  signingSecret: string;
};

/** Source: `AppsManifestCreateResponse` of @slack/web-api. */
const created = z.object({
  app_id: z.string(),
  credentials: z.object({
    client_id: z.string(),
    client_secret: z.string(),
    signing_secret: z.string(),
  }),
});
const manifestErrors = z.array(z.object({ message: z.string(), pointer: z.string().optional() }));

/** Creates the Slack app with `apps.manifest.create` (docs.slack.dev/reference/methods/apps.manifest.create). */
export async function createApp(options: {
  apiUrl: string;
  token: string;
  /** YAML. */
  manifest: string;
}): Promise<Judged<CreatedApp>> {
  const { apiUrl, token } = options;
  if (token.startsWith('xoxe-')) {
    return {
      problem: 'That is the refresh token. Copy the access token, which starts with xoxe.xoxp-.',
    };
  }
  const manifest = JSON.stringify(parse(options.manifest));
  const answer = await askSlack({ apiUrl, token }, 'apps.manifest.create', { manifest });
  if (answer.kind === 'unreachable')
    return { problem: `Slack can’t be reached (${answer.reason}).` };
  if (!answer.body.ok) return { problem: explain(answer.body) };
  const { app_id: appId, credentials } = created.parse(answer.body);
  return {
    value: {
      appId,
      clientId: credentials.client_id,
      clientSecret: credentials.client_secret,
      signingSecret: credentials.signing_secret,
    },
  };
}

function explain({ error, errors }: { error?: string | undefined; errors?: unknown }): string {
  const listed = manifestErrors.safeParse(errors).data ?? [];
  const details = listed.map(({ message, pointer = '' }) => `${message} (${pointer})`).join('; ');
  switch (error) {
    case 'invalid_auth':
    case 'not_allowed_token_type':
      return 'Slack doesn’t know this app configuration token. It starts with xoxe.xoxp-.';
    case 'token_expired':
      return 'The app configuration token has expired: they last for 12 hours. Generate another one.';
    default:
      return `Slack refused to create the app: ${error}${details ? `: ${details}` : ''}.`;
  }
}

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

const APPS = 'https://api.slack.com/apps';

/** Where people create and configure apps (docs.slack.dev/app-management). @param appId undefined if it isn't known */
export function slackPages(appId: string | undefined) {
  const page = (name: string) => (appId ? `${APPS}/${appId}/${name}` : APPS);
  return {
    /** With the section “Your App Configuration Tokens”. */
    apps: APPS,
    install: page('install-on-team'),
    basicInformation: page('general'),
    eventSubscriptions: page('event-subscriptions'),
  };
}
