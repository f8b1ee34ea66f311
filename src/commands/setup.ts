import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { parseEnv } from 'node:util';
import { environmentVariables } from '../config/config.ts';
import { DEFAULT_DATABASE, databaseSetting } from '../config/database.ts';
import { HOW_TO_GET, type SettingName } from '../config/help.ts';
import { keyringSetting } from '../config/keyring.ts';
import { problemWith } from '../config/settings.ts';
import { OperatorError } from '../ops/operator-error.ts';
import { applyProxySettings } from '../outgoing.ts';
import { openDatabase, pendingMigrations } from '../store/database.ts';
import { type DatabaseLocation, isPostgres, nameOf } from '../store/database-location.ts';
import { DATABASE_PARTS } from '../store/sqlite/path.ts';
import { makePrivate } from '../store/sqlite/private-files.ts';
import { createStores } from '../store/stores.ts';
import { CHECKS, examine, isTrouble } from './doctor/examine.ts';
import { readManifest } from './manifest.ts';
import { UsageError } from './read-arguments.ts';
import {
  askNobody,
  askPerson,
  ensureSetting,
  isInterruption,
  judgedAs,
  type Mode,
  type Setup,
} from './setup/ask.ts';
import { requireWritable, valuesIn, writeEnvFile } from './setup/env-file.ts';
import { setUpService } from './setup/set-up-service.ts';
import { setUpSlack, slackPages } from './setup/set-up-slack.ts';

type Texts = 'service-url' | 'card-link' | 'public-url' | 'mode' | 'app';
type Flags = 'many' | 'yes' | 'replace' | 'secrets-from-stdin' | 'no-open';
type Options = Record<Flags, boolean> & Partial<Record<Texts, string | undefined>>;

const ENV_FILE = '.env';
/** What a new settings file begins with. */
const TEMPLATE = { template: '.env.example' };
const INTERRUPTED = 130;

/** Of the doctor's checks, those that need neither a running app nor a long wait. */
const CHEAP = [
  'settings',
  'private-files',
  'database-reachable',
  'database-writable',
  'slack-scopes',
  'clock',
  'durable-disk',
];

/**
 * Asks for everything that the app needs, checks it, and writes it to the settings file at the end.
 *
 * @throws OperatorError if something is missing and nobody can be asked
 */
export async function setUp(options: Options): Promise<void> {
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
  requireWritable(ENV_FILE);
  const opens = process.stdin.isTTY && !options['no-open'];
  const setup: Setup = {
    values: settingsIn(env),
    answers: {},
    env,
    manifestTemplate: readManifest(),
    mode: modeOf(options.mode),
    many: options.many,
    appId: options.app,
    created: undefined,
    asker: options.yes ? askNobody : askPerson,
    say: (line) => process.stdout.write(`${line}\n`),
    open: opens ? (url) => openPage(url, env) : () => undefined,
  };
  try {
    await run(setup, options);
  } catch (error) {
    const isInterrupted = isInterruption(error);
    if (isInterrupted) keepAnswers(setup);
    const { created } = setup;
    if (created && (isInterrupted || error instanceof OperatorError)) {
      setup.say(
        `\nThe Slack app ${created} exists. To continue with it: npm run app -- setup --app ${created}\nTo delete it: ${slackPages(created).basicInformation}`,
      );
    }
    if (!isInterrupted) throw error;
    process.exitCode = INTERRUPTED;
    if (!process.stdin.isTTY) {
      process.stderr.write(
        'There is no terminal to answer in. `npm run app -- setup --yes` asks nothing; --help explains it.\n',
      );
    }
  }
  // Otherwise an open pipe keeps the process alive.
  process.stdin.unref?.();
}

const BEFORE = `This asks up to seven questions, and checks each answer. Have ready: the address of your design service’s API, an API key,
the link of a card, and the right to install apps in Slack. With Ctrl-C you can stop at any time; answers that pass are kept.
`;

async function run(setup: Setup, { yes, replace }: Options): Promise<void> {
  const { values, say } = setup;
  if (!yes) say(BEFORE);
  await correctOthers(setup);
  await requireKeysOf(values);
  const { isConnected } = await setUpService(setup);
  const { appId, mode } = await setUpSlack(setup);
  generateSecrets(setup);
  await write(setup, replace);
  await reportProblems(setup);
  say(nextSteps(setup, { appId, mode, isConnected }));
}

function modeOf(mode: string | undefined): Mode | undefined {
  if (mode === undefined || mode === 'socket' || mode === 'http') return mode;
  throw new UsageError('--mode must be socket or http.');
}

/** The program that opens a page in the browser; undefined where there is no desktop. */
function opener(env: Setup['env']): [string, ...string[]] | undefined {
  if (process.platform === 'darwin') return ['open'];
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : undefined;
}

/** Opens a page in the browser, if there is one. It is printed, too, so failing to open it doesn't matter. */
function openPage(url: string, env: Setup['env']): void {
  const [program, ...args] = opener(env) ?? [];
  if (!program) return;
  spawn(program, [...args, url], { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref();
}

/** What is asked for in a fixed order. Other settings are asked for only if they are wrong. */
const ASKED: readonly string[] = [
  'DESIGN_API_BASE_URL',
  'DESIGN_API_KEY',
  'CARD_URL_TEMPLATE',
  'PUBLIC_URL',
  'SLACK_BOT_TOKEN',
  'SLACK_APP_TOKEN',
  'SLACK_SIGNING_SECRET',
  'SLACK_CLIENT_ID',
  'SLACK_CLIENT_SECRET',
];

async function correctOthers(setup: Setup): Promise<void> {
  for (const [name, value] of Object.entries(setup.values)) {
    const setting = name as SettingName;
    if (ASKED.includes(name) || problemWith(setting, value) === undefined) continue;
    const message = `${HOW_TO_GET[setting]} ${name}:`;
    await ensureSetting(setup, { setting, message, judge: judgedAs(setting) });
  }
}

/** For the next run. Values that the file has already are replaced only at the end, after a question. */
function keepAnswers({ answers, say }: Setup): void {
  const present = valuesIn(ENV_FILE);
  const kept = Object.entries(answers).filter(([name, value]) => value && !present[name]);
  if (kept.length === 0) {
    say('\nStopped. Nothing was written.');
    return;
  }
  writeEnvFile(ENV_FILE, Object.fromEntries(kept), TEMPLATE);
  say(`\nStopped. ${ENV_FILE} has your answers so far. To continue: npm run app -- setup`);
}

function settingsIn(env: Setup['env']): Setup['values'] {
  const trimmed = Object.keys(HOW_TO_GET).map((name) => [name, env[name]?.trim()] as const);
  return Object.fromEntries(trimmed.filter(([, value]) => value));
}

const SECRET_BYTES = 32;

/** Named by its day, so that it isn't taken for an earlier one. */
const newKey = () =>
  `k${new Date().toISOString().slice(0, 10)}:${randomBytes(SECRET_BYTES).toString('base64')}`;

/**
 * A lost settings file may have left its database.
 *
 * @throws OperatorError if something in it is encrypted with a key that the settings don't have
 */
async function requireKeysOf({ DATABASE_URL, ENCRYPTION_KEYS }: Setup['values']) {
  const location = databaseSetting.parse(DATABASE_URL ?? `sqlite:${DEFAULT_DATABASE.path}`);
  if (!isPostgres(location) && !existsSync(location.path)) return;
  const { encryptionKeys, lostKeyIds } = keyringSetting.parse(ENCRYPTION_KEYS ?? newKey());
  await using db = openDatabase(location);
  // One that doesn't answer, or is of an earlier version, is tested by the doctor and at start.
  const pending = await pendingMigrations(db).catch(() => undefined);
  if (pending?.length !== 0) return;
  try {
    await createStores(db, encryptionKeys).keyring.require(lostKeyIds);
  } catch (error) {
    throw ENCRYPTION_KEYS || !(error instanceof OperatorError) ? error : keysAreLost(location);
  }
}

function keysAreLost(database: DatabaseLocation): OperatorError {
  const another = isPostgres(database)
    ? 'set DATABASE_URL to an empty database'
    : `move ${DATABASE_PARTS.map((part) => database.path + part).join(', ')} (as far as they exist) to another folder`;
  return new OperatorError(
    `The database ${nameOf(database)} has API keys or tokens that were encrypted with an ENCRYPTION_KEYS that is no longer in ${ENV_FILE} or the environment. Nothing was written. There are two ways on:

  - Put back the old ${ENV_FILE}, or its line with ENCRYPTION_KEYS, and run the setup again.
  - To begin again without what is in that database, stop the app, ${another}, and run the setup again.`,
  );
}

/** Existing ones stay: what is encrypted with a key can't be read without it. */
function generateSecrets({ values, many }: Setup): void {
  const secret = () => randomBytes(SECRET_BYTES).toString('hex');
  values.ENCRYPTION_KEYS ??= newKey();
  values.METRICS_TOKEN ??= secret();
  if (many) values.SLACK_STATE_SECRET ??= secret();
}

async function write({ values, asker, say }: Setup, replace: boolean): Promise<void> {
  const present = valuesIn(ENV_FILE);
  const changed = Object.entries(values).filter(([name, value]) => (present[name] ?? '') !== value);
  const conflicts = changed.map(([name]) => name).filter((name) => present[name]);
  if (conflicts.length > 0 && !replace) {
    const mayReplace = await asker.choose({
      message: `Replace ${conflicts.join(', ')} in ${ENV_FILE}?`,
      choices: [
        { value: false, name: 'No: leave the file as it is' },
        { value: true, name: 'Yes' },
      ],
    });
    if (!mayReplace) {
      throw new OperatorError(
        `${ENV_FILE} has other values for ${conflicts.join(', ')}, so nothing was written. Add --replace to replace them.`,
      );
    }
  }
  if (changed.length > 0) writeEnvFile(ENV_FILE, Object.fromEntries(changed), TEMPLATE);
  makePrivate(ENV_FILE);
  say(`✓ ${ENV_FILE} is written; only this user can read it.`);
}

async function reportProblems({ values, say }: Setup): Promise<void> {
  const cheap = CHECKS.filter(({ name }) => CHEAP.includes(name));
  for (const { finding } of await examine(cheap, { env: values, envFile: ENV_FILE })) {
    if (isTrouble(finding)) say(`! ${finding.problem}\n  ${finding.fix}`);
  }
}

function nextSteps(
  { many, values: { PUBLIC_URL } }: Setup,
  done: { appId: string | undefined; mode: Mode; isConnected: boolean },
): string {
  const { eventSubscriptions } = slackPages(done.appId);
  const steps = [
    'Run: npm start',
    done.mode === 'http' &&
      `When the app is reachable at ${PUBLIC_URL}, let Slack verify that: open ${eventSubscriptions} and press Retry.`,
    many && `Open ${PUBLIC_URL}/slack/install in each workspace.`,
    done.isConnected
      ? 'In Slack, type /design-request.'
      : 'In Slack, an admin types /design-request connect and pastes the API key.',
  ].filter(Boolean);
  const list = steps.map((step, index) => `  ${index + 1}. ${step}`).join('\n');
  return `\nWhat’s next:\n${list}\nIf something doesn’t work: npm run app -- doctor`;
}
