import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { environmentVariables } from '../config/config.ts';
import { applyProxySettings } from '../outgoing.ts';
import { exitWithUsage, readArguments, runCommand } from './run-command.ts';
import { askNobody, askPerson, InterruptedError } from './setup/ask.ts';
import { openPage } from './setup/open-page.ts';
import { runSetup } from './setup/run-setup.ts';

const USAGE = `npm run setup [-- OPTIONS]

Asks for what the app needs, tests it, creates the Slack app, and writes .env. Settings that are already in .env or in
the environment are tested and kept. After Ctrl-C, .env has the answers so far.

  --service-url URL      the address of the design service's API (DESIGN_API_BASE_URL)
  --card-link URL        the link of any card (for CARD_URL_TEMPLATE)
  --mode socket|http     how Slack reaches the app
  --public-url URL       the app's own https address, for HTTP (PUBLIC_URL)
  --many                 for many workspaces, each of which installs the app itself
  --app ID               uses this Slack app instead of creating one
  --yes                  asks nothing, and stops at the first setting that is missing or doesn't work
  --replace              replaces values in .env without asking
  --secrets-from-stdin   with --yes: reads secrets from standard input, as lines of NAME=value
  --no-open              opens no pages in the browser

Pass secrets in the environment, .env, or standard input, because other users can see the arguments of a process:
DESIGN_API_KEY, SLACK_CONFIG_TOKEN (an app configuration token, which creates the app), SLACK_BOT_TOKEN,
SLACK_APP_TOKEN, SLACK_SIGNING_SECRET.`;

const INTERRUPTED = 130;
const ROOT = new URL('../../', import.meta.url);

const flag = { type: 'boolean', default: false } as const;
const value = { type: 'string' } as const;
const { values: options } = readArguments(USAGE, {
  'service-url': value,
  'card-link': value,
  'public-url': value,
  mode: value,
  app: value,
  many: flag,
  yes: flag,
  replace: flag,
  'secrets-from-stdin': flag,
  'no-open': flag,
});
await runCommand(setUp);

async function setUp(): Promise<void> {
  const given = {
    DESIGN_API_BASE_URL: options['service-url'],
    CARD_URL_TEMPLATE: options['card-link'],
    PUBLIC_URL: options['public-url'],
  };
  const env = {
    ...environmentVariables(),
    ...(options['secrets-from-stdin'] ? parseEnv(await text(process.stdin)) : {}),
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  };
  applyProxySettings(env);
  const opens = process.stdin.isTTY && !options['no-open'];
  try {
    await runSetup({
      mode: modeOf(options.mode),
      many: options.many,
      appId: options.app,
      replace: options.replace,
      env,
      envFile: '.env',
      envTemplate: fileURLToPath(new URL('.env.example', ROOT)),
      manifestTemplate: await readFile(new URL('manifest.yml', ROOT), 'utf8'),
      asker: options.yes ? askNobody : askPerson(),
      say: (line) => process.stdout.write(`${line}\n`),
      open: opens ? (url) => openPage(url, env) : () => undefined,
    });
  } catch (error) {
    if (!(error instanceof InterruptedError)) throw error;
    process.exitCode = INTERRUPTED;
    if (!process.stdin.isTTY) {
      process.stderr.write(
        'There is no terminal to answer in. `npm run setup -- --yes` asks nothing; --help explains it.\n',
      );
    }
  }
  // Otherwise an open pipe keeps the process alive.
  process.stdin.unref?.();
}

function modeOf(mode: string | undefined) {
  if (mode === undefined || mode === 'socket' || mode === 'http') return mode;
  return exitWithUsage(USAGE, '--mode must be socket or http.');
}
