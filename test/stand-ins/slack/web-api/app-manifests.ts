import type { z } from 'zod';
import { isObject, type JsonObject, parseJson } from '../json.ts';
import { readManifest, slackManifest } from '../manifest.ts';
import { refuse } from '../refusal.ts';
import type { SlackState } from '../state/state.ts';
import type { AppCall } from './method.ts';

type Manifest = z.infer<typeof slackManifest>;
type Problem = { message: string; pointer: string };

/** How long an app configuration token lives. Source: docs.slack.dev/app-manifests/configuring-apps-with-app-manifests. */
const CONFIG_TOKEN_LIFE_MS = 12 * 60 * 60 * 1000;
const TOKEN_BYTES = 24;

/** A token as “Generate Token” makes it on api.slack.com/apps. */
export function issueConfigToken(state: SlackState): string {
  const token = `xoxe.xoxp-1-${state.ids.secret(TOKEN_BYTES)}`;
  state.configTokens.set(token, state.clock().getTime() + CONFIG_TOKEN_LIFE_MS);
  return token;
}

function requireConfigToken(state: SlackState, token: string): void {
  if (token === '') refuse('not_authed');
  if (state.tokens.has(token) || token === state.app.appToken) refuse('not_allowed_token_type');
  const expiresAt = state.configTokens.get(token);
  if (expiresAt === undefined) refuse('invalid_auth');
  else if (expiresAt <= state.clock().getTime()) refuse('token_expired');
}

const invalid = (errors: Problem[]): never => refuse('invalid_manifest', [], { errors });

/** The argument is JSON in a string, even in a JSON body. */
function manifestIn({ manifest }: JsonObject): Manifest {
  const parsed = typeof manifest === 'string' ? parseJson(manifest) : undefined;
  if (!isObject(parsed)) return invalid([{ message: 'Invalid manifest format', pointer: '/' }]);
  const read = slackManifest.safeParse(parsed);
  if (!read.success) {
    return invalid(
      read.error.issues.map(({ message, path }) => ({ message, pointer: `/${path.join('/')}` })),
    );
  }
  const problems = addressProblems(read.data);
  return problems.length > 0 ? invalid(problems) : read.data;
}

/** Source: the example of `invalid_manifest` at docs.slack.dev/reference/methods/apps.manifest.create. */
function addressProblems({ features, settings }: Manifest): Problem[] {
  if (settings.socket_mode_enabled) return [];
  const missing: [unknown, string, string][] = [
    [
      settings.event_subscriptions.request_url,
      'Event Subscription requires either Request URL or Socket Mode Enabled',
      '/settings/event_subscriptions',
    ],
    [
      settings.interactivity.request_url,
      'Interactivity requires a Request URL',
      '/settings/interactivity',
    ],
    ...features.slash_commands.map(({ url }, index): [unknown, string, string] => [
      url,
      'Slash commands require a URL',
      `/features/slash_commands/${index}`,
    ]),
  ];
  return missing.flatMap(([value, message, pointer]) => (value ? [] : [{ message, pointer }]));
}

/** The stand-in has only one app, which a new one replaces. */
export function createApp({ state, args, token }: AppCall) {
  requireConfigToken(state, token);
  state.manifest = readManifest(manifestIn(args));
  const { id, clientId, clientSecret, signingSecret } = state.app;
  return {
    app_id: id,
    credentials: {
      client_id: clientId,
      client_secret: clientSecret,
      signing_secret: signingSecret,
    },
  };
}
