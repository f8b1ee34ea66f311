import type { SettingName } from '../../config/help.ts';
import { type ManifestOptions, parseManifestSettings } from '../../config/manifest-settings.ts';
import { publicUrlOfPlatform } from '../../config/platform.ts';
import { problemWith } from '../../config/settings.ts';
import { isPublicHost } from '../../public-host.ts';
import { creationLink, fillManifest } from '../manifest.ts';
import { cleaned, judgedBy, type Known, obtain } from './ask.ts';
import type { Mode, SetupOptions } from './run-setup.ts';
import {
  type CreatedApp,
  createApp,
  judgeAppToken,
  judgeBotToken,
  slackPages,
} from './slack-app.ts';

type SlackOptions = SetupOptions & {
  /** With a slash at its end. */
  apiUrl: string;
  /** Called when the app was created, and its secrets are written nowhere yet. */
  onCreated: (appId: string) => void;
};

/** The Slack app with its tokens, all tested. */
export async function setUpSlack(
  known: Known,
  options: SlackOptions,
): Promise<{ appId: string | undefined; mode: Mode }> {
  const mode = options.mode ?? (await obtainMode(known));
  if (mode === 'http' || options.many) await obtainAddress(known, options);
  // Otherwise one that is in the settings file would stay there, and take precedence.
  if (mode === 'http') known.values.SLACK_APP_TOKEN = '';
  if (options.many) known.values.SLACK_BOT_TOKEN = '';
  const appId = hasApp(known) ? options.appId : await createAndKeep(known, { ...options, mode });
  await obtainTokens(known, { ...options, appId, mode });
  return { appId, mode };
}

async function obtainMode({ values, asker }: Known): Promise<Mode> {
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

async function obtainAddress(known: Known, { env }: SlackOptions): Promise<void> {
  await obtain(
    known,
    {
      setting: 'PUBLIC_URL',
      message: 'The app’s own public address:',
      suggestion: publicUrlOfPlatform(env),
      judge: judgedBy((text) => {
        const problem = problemWith('PUBLIC_URL', text);
        if (problem) return `The address ${problem}`;
        const { protocol, hostname, username, password, search, hash } = new URL(text);
        if (username + password + search + hash !== '') {
          return 'The address can’t have a user name, a password, or anything after ? or #.';
        }
        if (protocol !== 'https:') return 'Slack only reaches https addresses.';
        return isPublicHost(hostname)
          ? undefined
          : 'Slack can’t reach an address of this machine or of a private network.';
      }),
    },
    (address) => address.replace(/(?<!\/)\/+$/, ''),
  );
}

const APP_SETTINGS: readonly SettingName[] = [
  'SLACK_BOT_TOKEN',
  'SLACK_APP_TOKEN',
  'SLACK_SIGNING_SECRET',
  'SLACK_CLIENT_ID',
];
const hasApp = ({ values }: Known) => APP_SETTINGS.some((name) => values[name]);

/** Creates the app, unless it exists. @returns its ID, if it is known */
async function createAndKeep(
  known: Known,
  options: SlackOptions & { mode: Mode },
): Promise<string | undefined> {
  if (options.appId) return options.appId;
  const choice: ManifestOptions = {
    socket: options.mode === 'socket',
    many: options.many,
    workflowStep: false,
  };
  const manifest = fillManifest(
    options.manifestTemplate,
    parseManifestSettings(known.values, choice),
  );
  const app = await createByToken(known, options, manifest);
  if (!app) {
    createInBrowser(known, options, manifest);
    return undefined;
  }
  options.onCreated(app.appId);
  known.say(`✓ Slack has created the app ${app.appId}.`);
  known.values.SLACK_SIGNING_SECRET = app.signingSecret;
  if (options.many) {
    Object.assign(known.values, {
      SLACK_CLIENT_ID: app.clientId,
      SLACK_CLIENT_SECRET: app.clientSecret,
    });
  }
  return app.appId;
}

async function createByToken(
  { asker, say }: Known,
  { env, apiUrl, open }: SlackOptions,
  manifest: string,
): Promise<CreatedApp | undefined> {
  const judge = (token: string) => createApp({ apiUrl, token, manifest });
  let refused: string | undefined;
  if (env.SLACK_CONFIG_TOKEN) {
    const judged = await judge(cleaned(env.SLACK_CONFIG_TOKEN));
    if ('value' in judged) return judged.value;
    refused = judged.problem;
    say(`✗ SLACK_CONFIG_TOKEN doesn’t work: ${refused}`);
  }
  const page = slackPages(undefined).apps;
  say(`\nTo create the Slack app, open ${page}, and under “Your App Configuration Tokens”,`);
  say('press Generate Token. The setup uses the token once, and doesn’t store it.');
  open(page);
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

/** The longest link that is passed to a browser, in characters; common servers refuse longer ones. */
const MAX_LINK_CHARS = 8_000;

function createInBrowser({ say }: Known, { open }: SlackOptions, manifest: string): void {
  const link = creationLink(manifest);
  if (link.length <= MAX_LINK_CHARS) {
    say(`\nOpen this link, choose your workspace, and press Next and Create:\n\n${link}\n`);
    open(link);
  } else {
    say(
      `\nOpen ${slackPages(undefined).apps}?new_app=1, choose “From a manifest”, and paste:\n\n${manifest}`,
    );
  }
}

async function obtainTokens(known: Known, options: SlackOptions & { mode: Mode }): Promise<void> {
  const { apiUrl, appId, mode, many, open } = options;
  const pages = slackPages(appId);
  if (mode === 'http')
    await obtainCredential(known, 'SLACK_SIGNING_SECRET', 'Signing Secret', pages);
  if (many) {
    await obtainCredential(known, 'SLACK_CLIENT_ID', 'Client ID', pages);
    await obtainCredential(known, 'SLACK_CLIENT_SECRET', 'Client Secret', pages);
  } else {
    if (!known.values.SLACK_BOT_TOKEN) {
      known.say(`\nInstall the app: open ${pages.install}, press Install, and then Allow.`);
      open(pages.install);
    }
    const bot = await obtain(
      known,
      {
        setting: 'SLACK_BOT_TOKEN',
        message: 'The Bot User OAuth Token on that page (xoxb-…):',
        isSecret: true,
        judge: (token) => judgeBotToken(token, { apiUrl, appId }),
      },
      ({ token }) => token,
    );
    known.say(`✓ The app is installed in ${bot?.workspace}.`);
  }
  if (mode === 'http') return;
  if (!known.values.SLACK_APP_TOKEN) {
    known.say(`\nFor Socket Mode, open ${pages.basicInformation}, and under “App-Level Tokens”,`);
    known.say('generate one with the scope connections:write.');
    open(pages.basicInformation);
  }
  await obtain(known, {
    setting: 'SLACK_APP_TOKEN',
    message: 'That token (xapp-…):',
    isSecret: true,
    judge: (token) => judgeAppToken(token, { apiUrl, appId }),
  });
}

/** Slack doesn't let these be tested before it sends something. */
async function obtainCredential(
  known: Known,
  setting: 'SLACK_SIGNING_SECRET' | 'SLACK_CLIENT_ID' | 'SLACK_CLIENT_SECRET',
  label: string,
  { basicInformation }: { basicInformation: string },
): Promise<void> {
  await obtain(known, {
    setting,
    message: `The ${label}, at ${basicInformation} → App Credentials:`,
    isSecret: true,
    judge: judgedBy((text) => problemWith(setting, text)),
  });
}
