import { parse } from 'yaml';
import { z } from 'zod';
import type { SettingName } from '../../config/help.ts';
import { parseManifestSettings } from '../../config/manifest-settings.ts';
import { publicUrlOfPlatform } from '../../config/platform.ts';
import { problemWith } from '../../config/settings.ts';
import { isPublicHost } from '../../public-host.ts';
import { SlackTokenError } from '../../slack/client/errors.ts';
import { askSlack } from '../ask-slack.ts';
import { creationLink, fillManifest } from '../manifest.ts';
import { cleaned, ensureSetting, type Judged, judgedAs, type Mode, type Setup } from './ask.ts';

/** The Slack app and its tokens, which are tested. @returns how Slack reaches the app */
export async function setUpSlack(setup: Setup): Promise<Mode> {
  const { values, many, keep } = setup;
  const mode = setup.mode ?? (await ensureMode(setup));
  if (mode === 'http' || many) await ensureAddress(setup);
  // Otherwise a token in the settings file would stay there, and take precedence over this choice.
  if (mode === 'http') keep({ SLACK_APP_TOKEN: '' });
  if (many) keep({ SLACK_BOT_TOKEN: '' });
  const hasApp = APP_SETTINGS.some((name) => values[name]);
  if (!hasApp && !setup.appId) await create(setup, mode);
  await ensureTokens(setup, mode);
  return mode;
}

async function ensureMode({ values, asker }: Setup): Promise<Mode> {
  if (values.SLACK_APP_TOKEN) return 'socket';
  if (values.SLACK_SIGNING_SECRET) return 'http';
  return asker.choose<Mode>({
    message: 'How should Slack reach the app?',
    choices: [
      { value: 'socket', name: 'Socket Mode: no public address needed; best for one workspace' },
      { value: 'http', name: 'HTTP: the app has a public https address' },
    ],
  });
}

async function ensureAddress(setup: Setup): Promise<void> {
  await ensureSetting(
    setup,
    {
      setting: 'PUBLIC_URL',
      message: 'The app’s own public address:',
      suggestion: publicUrlOfPlatform(setup.env),
      judge: judgeOwnAddress,
    },
    (address) => address.replace(/(?<!\/)\/+$/, ''),
  );
}

async function judgeOwnAddress(text: string): Promise<Judged<string>> {
  const malformed = problemWith('PUBLIC_URL', text);
  if (malformed) return { problem: `The address ${malformed}` };
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' && isPublicHost(hostname)
    ? { value: text }
    : { problem: 'Slack only reaches public https addresses.' };
}

const APP_SETTINGS: readonly SettingName[] = [
  'SLACK_BOT_TOKEN',
  'SLACK_APP_TOKEN',
  'SLACK_SIGNING_SECRET',
  'SLACK_CLIENT_ID',
];

async function create(setup: Setup, mode: Mode): Promise<void> {
  const { values, many, say, keep } = setup;
  const choice = { socket: mode === 'socket', many, workflowStep: false };
  const manifest = fillManifest(setup.manifestTemplate, parseManifestSettings(values, choice));
  const app = await createByToken(setup, manifest);
  if (!app) {
    const link = creationLink(manifest);
    say(`\nOpen this link, choose your workspace, and press Next and Create:\n\n${link}\n`);
    return;
  }
  setup.appId = app.app_id;
  say(`✓ Slack has created the app ${app.app_id}.`);
  const { client_id, client_secret, signing_secret } = app.credentials;
  keep({
    SLACK_SIGNING_SECRET: signing_secret,
    ...(many ? { SLACK_CLIENT_ID: client_id, SLACK_CLIENT_SECRET: client_secret } : {}),
  });
}

async function createByToken(setup: Setup, manifest: string) {
  const { env, asker, say } = setup;
  const judge = (token: string) => createApp(apiUrlOf(setup), token, manifest);
  let refused: string | undefined;
  if (env.SLACK_CONFIG_TOKEN) {
    const judged = await judge(cleaned(env.SLACK_CONFIG_TOKEN));
    if ('value' in judged) return judged.value;
    refused = judged.problem;
    say(`✗ SLACK_CONFIG_TOKEN doesn’t work: ${refused}`);
  }
  say(`\nTo create the Slack app, open ${APPS}, and under “Your App Configuration Tokens”,`);
  say('press Generate Token. The setup uses the token once, and doesn’t store it.');
  return asker.ask(
    {
      setting: 'SLACK_CONFIG_TOKEN',
      message: 'The access token (xoxe.xoxp-…):',
      isSecret: true,
      ifEmpty: 'or Enter, to create the app in the browser',
      judge,
    },
    refused,
  );
}

/** Source: `AppsManifestCreateResponse` of @slack/web-api. */
const createdApp = z.object({
  app_id: z.string(),
  credentials: z.object({
    client_id: z.string(),
    client_secret: z.string(),
    signing_secret: z.string(),
  }),
});
const manifestErrors = z.array(z.object({ message: z.string(), pointer: z.string().optional() }));

/** Calls `apps.manifest.create` (docs.slack.dev/reference/methods/apps.manifest.create). @param manifest YAML */
async function createApp(
  apiUrl: string,
  token: string,
  manifest: string,
): Promise<Judged<z.infer<typeof createdApp>>> {
  if (token.startsWith('xoxe-')) {
    return {
      problem: 'That is the refresh token. Copy the access token, which starts with xoxe.xoxp-.',
    };
  }
  const args = { manifest: JSON.stringify(parse(manifest)) };
  const answer = await askSlack({ apiUrl, token }, 'apps.manifest.create', args);
  if (answer.kind === 'unreachable') return unreachable(answer.reason);
  const { ok, error, errors } = answer.body;
  if (ok) return { value: createdApp.parse(answer.body) };
  if (error === 'token_expired') {
    return {
      problem:
        'The app configuration token has expired: they last for 12 hours. Generate another one.',
    };
  }
  if (error === 'invalid_auth' || error === 'not_allowed_token_type') {
    return {
      problem: 'Slack doesn’t know this app configuration token. It starts with xoxe.xoxp-.',
    };
  }
  const listed = manifestErrors.safeParse(errors).data ?? [];
  const details = listed.map(({ message, pointer = '' }) => `${message} (${pointer})`);
  const all = [error, details.join('; ')].filter(Boolean).join(': ');
  return { problem: `Slack refused to create the app: ${all}.` };
}

const unreachable = (reason: string) => ({ problem: `Slack can’t be reached (${reason}).` });

const apiUrlOf = ({ values }: Setup) =>
  (values.SLACK_API_URL ?? 'https://slack.com/api/').replace(/(?<!\/)\/*$/, '/');

async function ensureTokens(setup: Setup, mode: Mode): Promise<void> {
  const { values, many, say } = setup;
  const pages = slackPages(setup.appId);
  if (mode === 'http') await ensureCredential(setup, 'SLACK_SIGNING_SECRET', 'Signing Secret');
  if (many) {
    await ensureCredential(setup, 'SLACK_CLIENT_ID', 'Client ID');
    await ensureCredential(setup, 'SLACK_CLIENT_SECRET', 'Client Secret');
  } else {
    if (!values.SLACK_BOT_TOKEN) {
      say(`\nInstall the app: open ${pages.install}, press Install, and then Allow.`);
    }
    const message = 'The Bot User OAuth Token on that page (xoxb-…):';
    const bot = await ensureToken(setup, 'SLACK_BOT_TOKEN', message);
    say(`✓ The app is installed in ${bot?.workspace}.`);
  }
  if (mode === 'http') return;
  if (!values.SLACK_APP_TOKEN) {
    say(`\nFor Socket Mode, open ${pages.basicInformation}, and under “App-Level Tokens”,`);
    say('generate one with the scope connections:write.');
  }
  await ensureToken(setup, 'SLACK_APP_TOKEN', 'That token (xapp-…):');
}

/** Slack doesn't let these be tested before it sends something. */
async function ensureCredential(
  setup: Setup,
  setting: 'SLACK_SIGNING_SECRET' | 'SLACK_CLIENT_ID' | 'SLACK_CLIENT_SECRET',
  label: string,
): Promise<void> {
  await ensureSetting(setup, {
    setting,
    message: `The ${label}, at ${slackPages(setup.appId).basicInformation} → App Credentials:`,
    isSecret: true,
    judge: judgedAs(setting),
  });
}

/** The workspace is the one that a bot token is for. */
function ensureToken(
  setup: Setup,
  setting: 'SLACK_BOT_TOKEN' | 'SLACK_APP_TOKEN',
  message: string,
): Promise<{ token: string; workspace: unknown } | undefined> {
  const apiUrl = apiUrlOf(setup);
  const isBot = setting === 'SLACK_BOT_TOKEN';
  const judge = async (token: string) => {
    const judged = await judgedAs(setting)(token);
    if ('problem' in judged) return judged;
    const method = isBot ? 'auth.test' : 'apps.connections.open';
    const answer = await askSlack({ apiUrl, token }, method);
    if (answer.kind === 'unreachable') return unreachable(answer.reason);
    const { ok, error = '', team } = answer.body;
    if (!ok) return { problem: new SlackTokenError(setting, error).message };
    return { value: { token, workspace: team } };
  };
  const question = { setting, message, isSecret: true, isTested: true, judge };
  return ensureSetting(setup, question, ({ token }) => token);
}

/** Where people create and configure apps (docs.slack.dev/app-management). */
const APPS = 'https://api.slack.com/apps';

export function slackPages(appId: string | undefined) {
  const page = (name: string) => (appId ? `${APPS}/${appId}/${name}` : APPS);
  return {
    install: page('install-on-team'),
    basicInformation: page('general'),
    eventSubscriptions: page('event-subscriptions'),
  };
}
