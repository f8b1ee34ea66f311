import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { configFromEnvironment } from '../config/config.ts';
import { createLog } from '../ops/logging.ts';
import { OperatorError } from '../ops/operator-error.ts';
import { secretsOf } from '../ops/secrets.ts';
import { typedReference } from '../references.ts';
import { openDatabase, pendingMigrations, requireReachable } from '../store/database.ts';
import { isPostgres } from '../store/database-location.ts';
import { createOperatorJobs, JOB_STATES, type JobState } from '../store/operator-jobs.ts';
import { createStores, type Stores } from '../store/stores.ts';
import { dropJob, requestOf, retryJob } from './jobs/change-job.ts';
import { findRequests, requestTableText } from './jobs/list-requests.ts';
import {
  describeJob,
  describeRequest,
  jobDetails,
  jobTableText,
  readAge,
} from './jobs/print-jobs.ts';
import { exitWithUsage, readArguments, runCommand } from './run-command.ts';

const USAGE = `npm run jobs [-- list] [--state ready,running,failed,done] [--kind KIND] [--workspace ID] [--older-than 2h]
                       [--limit 100] [--json]
       npm run jobs -- requests [DR-…] [--workspace ID] [--older-than 2h] [--limit 100] [--json]
                                             requests that wait, are being sent, or are in doubt; or one request
       npm run jobs -- show ID [--content]   with --content, also what people typed
       npm run jobs -- retry ID              runs a failed or ready job now
       npm run jobs -- drop ID               ends a ready job; the author of its request is told

Without a command, it lists jobs. A job is ready until it runs, also if its time has not come. Without --state, the list has what has not been done.
Works while the app runs. Changes are logged as a JSON line on standard error, and recorded for the workspace's admins.`;

const DEFAULT_LIMIT = '100';
const NOT_MIGRATED =
  'The database is from an earlier version. Start the app, which migrates it, or run: npm run migrate';
/** The app asks the table this often if nothing else wakes it, in seconds; on Postgres every second. */
const NOTICED_WITHIN_S = 60;

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;
const { values: options, positionals } = readArguments(
  USAGE,
  {
    state: text,
    kind: text,
    workspace: text,
    'older-than': text,
    limit: { ...text, default: DEFAULT_LIMIT },
    json: flag,
    content: flag,
  },
  { most: 2 },
);
const [command = 'list', id] = positionals;
const isList = command === 'list';
const isOfRequests = command === 'requests';
const { 'older-than': olderThan = '' } = options;
const age = readAge(olderThan);
const problem = argumentProblem();
if (problem) exitWithUsage(USAGE, problem);

await runCommand(async () => {
  const config = configFromEnvironment();
  const { database, encryptionKeys } = config;
  if (!isPostgres(database) && !existsSync(database.path)) {
    throw new OperatorError(`There is no database at ${database.path}.`);
  }
  const db = openDatabase(database);
  try {
    await requireReachable(db, database);
    if ((await pendingMigrations(db)).length > 0) throw new OperatorError(NOT_MIGRATED);
    const operatorJobs = createOperatorJobs(db);
    const stores = createStores(db, encryptionKeys);
    if (isList) return await list(operatorJobs);
    if (isOfRequests) return await listRequests(stores);
    const job = await operatorJobs.get(Number(id));
    if (!job) throw new OperatorError(`There is no job ${id}. Done jobs are deleted after a day.`);
    const secrets = secretsOf(config);
    const log = createLog({ level: 'info', secrets, destination: process.stderr });
    const ctx = { stores, now: () => new Date(), log };
    if (command === 'show') {
      const request = await requestOf(stores, job);
      print(jobDetails(job, request, { withContent: options.content, secrets }));
      return;
    }
    const about = {
      job: job.id,
      kind: job.kind,
      workspace: job.workspaceId,
      by: operatorName(),
    };
    if (command === 'retry') {
      await retryJob(ctx, job);
      log.info(about, 'an operator made a job run again');
      process.stdout.write(
        `Job ${job.id} is due. A running app starts it within ${NOTICED_WITHIN_S} s.\n`,
      );
      return;
    }
    const follows = await dropJob(ctx, job);
    log.info(about, 'an operator dropped a job');
    process.stdout.write(`Job ${job.id} is dropped. ${follows}\n`);
  } finally {
    await db.destroy();
  }
});

function argumentProblem(): string | undefined {
  if (!['list', 'requests', 'show', 'retry', 'drop'].includes(command))
    return `There is no command '${command}'.`;
  if (isList && id !== undefined) return `Unexpected argument '${id}'.`;
  if (isOfRequests && id !== undefined && typedReference(id) === undefined)
    return `'${id}' is no reference of a request, such as DR-2DPXX9VK.`;
  if (!isList && !isOfRequests && !/^\d{1,15}$/.test(id ?? ''))
    return `${command} needs the ID of a job, a number.`;
  if (olderThan && age === undefined)
    return '--older-than must be a number with s, m, h, or d, as in 2h.';
  if (!/^[1-9]\d{0,5}$/.test(options.limit)) return '--limit must be a number from 1 to 999999.';
  if (statesIn(options.state) === undefined)
    return `--state must be one or more of ${JOB_STATES.join(', ')}.`;
  return undefined;
}

async function list(jobs: ReturnType<typeof createOperatorJobs>): Promise<void> {
  const limit = Number(options.limit);
  const now = new Date();
  const found = await jobs.list({
    states: statesIn(options.state) ?? [],
    kind: options.kind,
    workspace: options.workspace,
    createdBefore: age === undefined ? undefined : new Date(now.getTime() - age),
    limit: limit + 1,
  });
  const shown = found.slice(0, limit);
  if (options.json) return print(shown.map(describeJob));
  process.stdout.write(shown.length > 0 ? jobTableText(shown, now) : 'No such jobs.\n');
  if (found.length > limit) process.stdout.write(`There are more: raise --limit ${limit}.\n`);
}

async function listRequests({ requests }: Stores): Promise<void> {
  const limit = Number(options.limit);
  const now = new Date();
  const found = await findRequests(requests, {
    reference: id === undefined ? undefined : typedReference(id),
    workspace: options.workspace,
    createdBefore: new Date(now.getTime() - (age ?? 0)),
    limit: limit + 1,
  });
  const shown = found.slice(0, limit);
  if (options.json) return print(shown.map(describeRequest));
  process.stdout.write(shown.length > 0 ? requestTableText(shown, now) : 'No such requests.\n');
  if (found.length > limit) process.stdout.write(`There are more: raise --limit ${limit}.\n`);
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}
`);
}

/** Containers may run as a user without a name. */
function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}

function isState(text: string): text is JobState {
  return JOB_STATES.some((state) => state === text);
}

/** @returns undefined if there is no such state */
function statesIn(text = 'ready,running,failed'): JobState[] | undefined {
  const states = text.split(',').filter(isState);
  return states.length === text.split(',').length ? states : undefined;
}
