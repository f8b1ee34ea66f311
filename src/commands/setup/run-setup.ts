import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { DEFAULT_DATABASE, databaseSetting } from '../../config/database.ts';
import { HOW_TO_GET, type SettingName } from '../../config/help.ts';
import { keyringSetting } from '../../config/keyring.ts';
import { problemWith } from '../../config/settings.ts';
import { OperatorError } from '../../ops/operator-error.ts';
import { openDatabase, pendingMigrations } from '../../store/database.ts';
import { isPostgres } from '../../store/database-location.ts';
import { requireKeys } from '../../store/encryption/keyring.ts';
import { makePrivate } from '../../store/sqlite/private-files.ts';
import { createStores } from '../../store/stores.ts';
import { CHECKS, examine, isTrouble } from '../doctor/examine.ts';
import { type Asker, askNobody, InterruptedError, judgedBy, type Known, obtain } from './ask.ts';
import { conflictsWith, requireWritable, valuesIn, writeEnvFile } from './env-file.ts';
import { setUpService } from './set-up-service.ts';
import { setUpSlack } from './set-up-slack.ts';
import { slackPages } from './slack-app.ts';

export type Mode = 'socket' | 'http';

export type SetupOptions = {
  mode: Mode | undefined;
  /** Serves every workspace that installs the app. */
  many: boolean;
  /** Of an app that exists. */
  appId: string | undefined;
  /** Whether settings in the file may be replaced without asking. */
  replace: boolean;
  /** The settings file, and what a new one begins with. */
  envFile: string;
  envTemplate: string;
  /** The text of manifest.yml. */
  manifestTemplate: string;
  /** The variables of the process, with what was given on the command line. */
  env: Record<string, string | undefined>;
  asker: Asker;
  say: (line: string) => void;
  open: (url: string) => void;
};

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
 * Asks for everything that the app needs, tests it, and writes it to the settings file at the end.
 *
 * @throws OperatorError if something is missing and nobody can be asked; InterruptedError
 */
export async function runSetup(options: SetupOptions): Promise<void> {
  const { env, asker, say, many } = options;
  requireWritable(options.envFile);
  const known: Known = { values: settingsIn(env), answers: {}, asker, say };
  let created: string | undefined;
  try {
    if (asker !== askNobody) say(BEFORE);
    await correctOthers(known);
    await requireKeysOf(known.values);
    const { isConnected } = await setUpService(known, { keepsKey: !many });
    const { appId, mode } = await setUpSlack(known, {
      ...options,
      apiUrl: (known.values.SLACK_API_URL ?? 'https://slack.com/api/').replace(/(?<!\/)\/*$/, '/'),
      onCreated: (id) => {
        created = id;
      },
    });
    generateSecrets(known.values, { many });
    await write(known, options);
    await reportProblems(known, options);
    say(nextSteps({ appId, mode, many, isConnected, publicUrl: known.values.PUBLIC_URL }));
  } catch (error) {
    if (error instanceof InterruptedError) keepAnswers(known, options);
    if (created && (error instanceof InterruptedError || error instanceof OperatorError)) {
      say(
        `\nThe Slack app ${created} exists. To continue with it: npm run app -- setup --app ${created}\nTo delete it: ${slackPages(created).basicInformation}`,
      );
    }
    throw error;
  }
}

const BEFORE = `This asks up to seven questions, and tests each answer. Have ready: the address of your design service’s API, an API key,
the link of a card, and the right to install apps in Slack. With Ctrl-C you can stop at any time; answers that work are kept.
`;

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

async function correctOthers(known: Known): Promise<void> {
  for (const [name, value] of Object.entries(known.values)) {
    const setting = name as SettingName;
    if (ASKED.includes(name) || problemWith(setting, value) === undefined) continue;
    const judge = judgedBy((text) => problemWith(setting, text));
    await obtain(known, { setting, message: `${HOW_TO_GET[setting]} ${name}:`, judge });
  }
}

/** For the next run. Values that the file has already are replaced only at the end, after a question. */
function keepAnswers({ answers, say }: Known, { envFile, envTemplate }: SetupOptions): void {
  const present = valuesIn(envFile);
  const kept = Object.entries(answers).filter(([name, value]) => value && !present[name]);
  if (kept.length === 0) {
    say('\nStopped. Nothing was written.');
    return;
  }
  writeEnvFile(envFile, Object.fromEntries(kept), { template: envTemplate });
  say(`\nStopped. ${envFile} has your answers so far. To continue: npm run app -- setup`);
}

function settingsIn(env: SetupOptions['env']): Known['values'] {
  const names = Object.keys(HOW_TO_GET) as SettingName[];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = env[name]?.trim();
      return value ? [[name, value]] : [];
    }),
  );
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
async function requireKeysOf({ DATABASE_URL, ENCRYPTION_KEYS = newKey() }: Known['values']) {
  const location = databaseSetting.parse(DATABASE_URL ?? `sqlite:${DEFAULT_DATABASE.path}`);
  if (!isPostgres(location) && !existsSync(location.path)) return;
  const { encryptionKeys, lostKeyIds } = keyringSetting.parse(ENCRYPTION_KEYS);
  const db = openDatabase(location);
  try {
    // One that doesn't answer, or is of an earlier version, is tested by the doctor and at start.
    const pending = await pendingMigrations(db).catch(() => undefined);
    if (pending?.length === 0)
      await requireKeys(createStores(db, encryptionKeys).keyring, lostKeyIds);
  } finally {
    await db.destroy();
  }
}

/** Existing ones stay: what is encrypted with a key can't be read without it. */
function generateSecrets(values: Known['values'], { many }: { many: boolean }): void {
  const secret = () => randomBytes(SECRET_BYTES).toString('hex');
  values.ENCRYPTION_KEYS ??= newKey();
  values.METRICS_TOKEN ??= secret();
  if (many) values.SLACK_STATE_SECRET ??= secret();
}

async function write({ values, asker, say }: Known, options: SetupOptions): Promise<void> {
  const { envFile, envTemplate, replace } = options;
  const conflicts = conflictsWith(envFile, values);
  if (conflicts.length > 0 && !replace) {
    const mayReplace = await asker.choose({
      message: `Replace ${conflicts.join(', ')} in ${envFile}?`,
      choices: [
        { value: false, name: 'No: leave the file as it is' },
        { value: true, name: 'Yes' },
      ],
    });
    if (!mayReplace) {
      throw new OperatorError(
        `${envFile} has other values for ${conflicts.join(', ')}, so nothing was written. Add --replace to replace them.`,
      );
    }
  }
  const present = valuesIn(envFile);
  const changed = Object.entries(values).filter(([name, value]) => (present[name] ?? '') !== value);
  if (changed.length > 0) {
    writeEnvFile(envFile, Object.fromEntries(changed), { template: envTemplate });
  }
  makePrivate(envFile);
  say(`✓ ${envFile} is written; only this user can read it.`);
}

async function reportProblems({ values, say }: Known, { envFile }: SetupOptions): Promise<void> {
  const examined = await examine(
    CHECKS.filter(({ name }) => CHEAP.includes(name)),
    { env: values, envFile },
  );
  for (const { finding } of examined) {
    if (isTrouble(finding)) say(`! ${finding.problem}\n  ${finding.fix}`);
  }
}

function nextSteps(done: {
  appId: string | undefined;
  mode: Mode;
  many: boolean;
  isConnected: boolean;
  publicUrl: string | undefined;
}): string {
  const { eventSubscriptions } = slackPages(done.appId);
  const steps = [
    'Run: npm start',
    ...(done.mode === 'http'
      ? [
          `When the app is reachable at ${done.publicUrl}, let Slack verify that: open ${eventSubscriptions} and press Retry.`,
        ]
      : []),
    ...(done.many ? [`Open ${done.publicUrl}/slack/install in each workspace.`] : []),
    done.isConnected
      ? 'In Slack, type /design-request.'
      : 'In Slack, an admin types /design-request connect and pastes the API key.',
  ];
  const list = steps.map((step, index) => `  ${index + 1}. ${step}`).join('\n');
  return `\nWhat’s next:\n${list}\nIf something doesn’t work: npm run app -- doctor`;
}
