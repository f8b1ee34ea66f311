import {
  type Arguments,
  aligned,
  type Options,
  parseArguments,
  UsageError,
} from './read-arguments.ts';

type Command<T extends Options> = {
  name: string;
  /** What it takes besides options, and how many at most. */
  takes?: string;
  most?: number;
  does: string;
  app: 'may run' | 'must be stopped' | 'must be stopped on SQLite';
  options: T;
  notes?: string;
  run(given: Arguments<T>): Promise<void>;
};

type Described = { does: string; value?: string };

const flag = (does: string) => ({ type: 'boolean', default: false, does }) as const;
const text = (value: string, does: string) => ({ type: 'string', value, does }) as const;

function command<const T extends Options & Record<string, Described>>({
  options,
  run,
  ...described
}: Command<T>) {
  const { name, takes = '', most = 0, does, app, notes = '' } = described;
  const listed = Object.entries<Described>(options).map(
    ([option, { value = '', does }]) => [`--${option} ${value}`.trim(), does] as const,
  );
  const usage = [
    ['npm run app --', name, takes, listed.length > 0 ? '[OPTIONS]' : ''].filter(Boolean).join(' '),
    `${does}. The app ${app}.`,
    aligned(listed, '  '),
    notes,
  ]
    .filter(Boolean)
    .join('\n\n');
  return {
    name,
    does,
    app,
    usage,
    run: async (args: string[]) => run(parseArguments(options, args, most)),
  };
}

function fileIn({ positionals: [file] }: { positionals: string[] }): string {
  if (!file) throw new UsageError('The argument <file> is missing.');
  return file;
}

/** What operators can do: `npm run app -- NAME`, or `node dist/app.js NAME` in a deployment. */
export const COMMANDS = [
  command({
    name: 'setup',
    does: 'Asks for what the app needs, checks it, creates the Slack app, and writes .env',
    app: 'may run',
    options: {
      'service-url': text('URL', "the address of the design service's API (DESIGN_API_BASE_URL)"),
      'card-link': text('URL', 'the link of any card (for CARD_URL_TEMPLATE)'),
      mode: text('socket|http', 'how Slack reaches the app'),
      'public-url': text('URL', "the app's own https address, for HTTP (PUBLIC_URL)"),
      many: flag('for many workspaces, each of which installs the app itself'),
      app: text('ID', 'uses this Slack app instead of creating one'),
      yes: flag("asks nothing, and stops at the first setting that is missing or doesn't work"),
      'secrets-from-stdin': flag('with --yes: reads secrets from standard input, as NAME=value'),
    },
    notes: `Settings that are already in .env or in the environment are checked and kept. A value that is replaced stays in .env
as a comment. After Ctrl-C, .env has the answers so far. Pass secrets in the environment, .env, or standard input, because other users can see the arguments of a
process: DESIGN_API_KEY, SLACK_CONFIG_TOKEN (an app configuration token, which creates the app), SLACK_BOT_TOKEN,
SLACK_APP_TOKEN, SLACK_SIGNING_SECRET.`,
    run: async ({ values }) => (await import('./setup.ts')).setUp(values),
  }),
  command({
    name: 'manifest',
    does: "Prints the Slack app's manifest with your settings, and a link that creates the app from it",
    app: 'may run',
    options: {
      socket: flag('for Socket Mode, even without SLACK_APP_TOKEN'),
      many: flag('for many workspaces, even without the OAuth settings'),
      'workflow-step': flag('with the step in Workflow Builder'),
    },
    run: async ({ values }) => (await import('./manifest.ts')).printManifest(values),
  }),
  command({
    name: 'doctor',
    takes: '[CHECK…]',
    most: Number.POSITIVE_INFINITY,
    does: 'Examines the settings, this machine, the database, Slack, and the service, and says what to do',
    app: 'may run',
    options: {
      list: flag('lists what is checked'),
      json: flag('prints the findings as JSON'),
      fix: flag('also repairs what it can (stop the app first): permissions of files, migrations'),
      support: text('LOG', 'prints what to send to whoever helps you, as JSON without secrets'),
    },
    notes: `CHECK… runs only these checks. --support prints the findings, versions, and the end of the app's log in this file
(- for standard input). Changes nothing without --fix. Exit code: 1 if a check failed, otherwise 0.`,
    run: async ({ values, positionals }) =>
      (await import('./doctor.ts')).doctor(values, positionals),
  }),
  command({
    name: 'jobs',
    takes: '[list | requests [DR-…] | show ID | retry ID | drop ID]',
    most: 2,
    does: 'Lists what waits or failed, and runs or ends single jobs',
    app: 'may run',
    options: {
      state: text('STATE,…', 'only ready, running, failed, or done jobs; by default, all but done'),
      kind: text('KIND', 'only jobs of this kind'),
      workspace: text('ID', 'only what belongs to this workspace'),
      limit: { ...text('NUMBER', 'the most to list; by default, 100'), default: '100' },
      json: flag('prints the list as JSON'),
      content: flag('with show: also what people typed'),
    },
    notes: `  list             lists jobs. A job is ready until it runs, even if its time has not come
  requests [DR-…]  lists requests that wait, are being sent, or are in doubt, the oldest first; or one request
  show ID          a job and its request
  retry ID         runs a failed or ready job now
  drop ID          ends a ready job; the author of its request is told

Changes are logged as a JSON line on standard error, and recorded for the workspace's admins.`,
    run: async ({ values, positionals }) => (await import('./jobs.ts')).jobs(values, positionals),
  }),
  command({
    name: 'backup',
    takes: '<file>',
    most: 1,
    does: "Copies the SQLite database to a file that doesn't exist yet",
    app: 'may run',
    options: {},
    run: async (given) => (await import('./backup.ts')).backUp(fileIn(given)),
  }),
  command({
    name: 'restore',
    takes: '<file>',
    most: 1,
    does: 'Replaces the SQLite database with a backup, and keeps the previous one',
    app: 'must be stopped',
    options: {},
    run: async (given) => (await import('./backup.ts')).restore(fileIn(given)),
  }),
  command({
    name: 'move',
    does: 'Moves everything from SQLite to Postgres',
    app: 'must be stopped',
    options: {
      to: text('postgres://…', 'from the SQLite database in DATABASE_URL'),
      from: text('sqlite:<file>', 'to the Postgres database in DATABASE_URL'),
    },
    run: async ({ values }) => (await import('./move.ts')).move(values),
  }),
  command({
    name: 'rotate-keys',
    does: 'Encrypts everything again with the first of ENCRYPTION_KEYS; can be interrupted and run again',
    app: 'must be stopped on SQLite',
    options: {},
    run: async () => (await import('./database.ts')).rotateKeys(),
  }),
  command({
    name: 'migrate',
    does: 'Migrates the database, as the app does when it starts; for the release step of a deployment',
    app: 'must be stopped on SQLite',
    options: {},
    run: async () => (await import('./database.ts')).migrate(),
  }),
];

export const LIST_OF_COMMANDS = `npm run app -- COMMAND [--help]

${aligned([['COMMAND', 'THE APP'], ...COMMANDS.map(({ name, app, does }) => [name, app, does])], '  ')}`;
