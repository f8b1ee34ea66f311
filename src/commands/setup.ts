import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { parseEnv } from 'node:util';
import { environmentVariables } from '../config/config.ts';
import { HOW_TO_GET } from '../config/help.ts';
import { keyringSetting } from '../config/keyring.ts';
import { databaseIn } from '../config/settings.ts';
import { OperatorError } from '../ops/operator-error.ts';
import { applyProxySettings } from '../outgoing.ts';
import { openDatabase, pendingMigrations } from '../store/database.ts';
import { type DatabaseLocation, isPostgres, nameOf } from '../store/database-location.ts';
import { makePrivate } from '../store/sqlite/private-files.ts';
import { createStores } from '../store/stores.ts';
import { CHECKS, examine, isTrouble } from './doctor/examine.ts';
import { readManifest } from './manifest.ts';
import { UsageError } from './read-arguments.ts';
import { askNobody, askPerson, isInterruption, type Mode, type Setup } from './setup/ask.ts';
import { writeEnvFile } from './setup/env-file.ts';
import { setUpService } from './setup/set-up-service.ts';
import { setUpSlack, slackPages } from './setup/set-up-slack.ts';

type Texts = 'service-url' | 'card-link' | 'public-url' | 'mode' | 'app';
type Flags = 'many' | 'yes' | 'secrets-from-stdin';
type Options = Record<Flags, boolean> & Partial<Record<Texts, string | undefined>>;

const ENV_FILE = '.env';
/** What a new settings file begins with. */
const TEMPLATE = '.env.example';
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

/** Asks for everything that the app needs, checks it, and writes each answer that passes to the settings file. */
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
  const values = settingsIn(env);
  const setup: Setup = {
    values,
    env,
    manifestTemplate: readManifest(),
    mode: modeOf(options.mode),
    many: options.many,
    appId: options.app,
    asker: options.yes ? askNobody : askPerson,
    say: (line) => process.stdout.write(`${line}\n`),
    keep(taken) {
      Object.assign(values, taken);
      writeEnvFile(ENV_FILE, taken, { template: TEMPLATE });
    },
  };
  try {
    if (!options.yes) setup.say(BEFORE);
    await run(setup);
  } catch (error) {
    if (!isInterruption(error)) throw error;
    setup.say(`\nStopped. ${ENV_FILE} has your answers so far. To continue: npm run app -- setup`);
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

async function run(setup: Setup): Promise<void> {
  await requireKeysOf(setup.values);
  const { isConnected } = await setUpService(setup);
  const mode = await setUpSlack(setup);
  setup.keep({ ...setup.values, ...secretsFor(setup) });
  makePrivate(ENV_FILE);
  setup.say(`✓ ${ENV_FILE} is written; only this user can read it.`);
  await reportProblems(setup);
  setup.say(nextSteps(setup, { mode, isConnected }));
}

function modeOf(mode: string | undefined): Mode | undefined {
  if (mode === undefined || mode === 'socket' || mode === 'http') return mode;
  throw new UsageError('--mode must be socket or http.');
}

function settingsIn(env: Setup['env']): Setup['values'] {
  const trimmed = Object.keys(HOW_TO_GET).map((name) => [name, env[name]?.trim()] as const);
  return Object.fromEntries(trimmed.filter(([, value]) => value));
}

const SECRET_BYTES = 32;

/** Named by its day, so that it isn't taken for an earlier one. */
const newKey = () =>
  `k${new Date().toISOString().slice(0, 10)}:${randomBytes(SECRET_BYTES).toString('base64')}`;

/** A lost settings file may have left its database, in which something is encrypted with a lost key. */
async function requireKeysOf(values: Setup['values']) {
  const location = databaseIn(values);
  const keyring = keyringSetting.safeParse(values.ENCRYPTION_KEYS || newKey()).data;
  if (!location || !keyring || !(isPostgres(location) || existsSync(location.path))) return;
  await using db = openDatabase(location);
  // One that doesn't answer, or is of an earlier version, is tested by the doctor and at start.
  const pending = await pendingMigrations(db).catch(() => undefined);
  if (pending?.length !== 0) return;
  try {
    await createStores(db, keyring.encryptionKeys).keyring.require(keyring.lostKeyIds);
  } catch (error) {
    throw values.ENCRYPTION_KEYS || !(error instanceof OperatorError)
      ? error
      : keysAreLost(location);
  }
}

function keysAreLost(database: DatabaseLocation): OperatorError {
  const another = isPostgres(database)
    ? 'set DATABASE_URL to an empty database'
    : `move ${database.path} and every file whose name begins with it to another folder`;
  return new OperatorError(
    `The database ${nameOf(database)} has API keys or tokens that were encrypted with an ENCRYPTION_KEYS that is no longer in ${ENV_FILE} or the environment. Nothing was written. There are two ways on:

  - Put back the old ${ENV_FILE}, or its line with ENCRYPTION_KEYS, and run the setup again.
  - To begin again without what is in that database, stop the app, ${another}, and run the setup again.`,
  );
}

/** Existing ones stay: what is encrypted with a key can't be read without it. */
function secretsFor({ values }: Setup): Setup['values'] {
  return {
    ENCRYPTION_KEYS: values.ENCRYPTION_KEYS ?? newKey(),
    METRICS_TOKEN: values.METRICS_TOKEN ?? randomBytes(SECRET_BYTES).toString('hex'),
  };
}

async function reportProblems({ values, say }: Setup): Promise<void> {
  const cheap = CHECKS.filter(({ name }) => CHEAP.includes(name));
  for (const { finding } of await examine(cheap, { env: values, envFile: ENV_FILE })) {
    if (isTrouble(finding)) say(`! ${finding.problem}\n  ${finding.fix}`);
  }
}

function nextSteps(
  { many, appId, values: { PUBLIC_URL } }: Setup,
  done: { mode: Mode; isConnected: boolean },
): string {
  const { eventSubscriptions } = slackPages(appId);
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
