import { parse } from 'yaml';
import { z } from 'zod';
import { askSlack } from '../ask-slack.ts';
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
