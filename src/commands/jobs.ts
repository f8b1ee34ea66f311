import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { COMMAND_STOPS, type Config, configFromEnvironment } from '../config/config.ts';
import { createLog, hiding } from '../ops/logging.ts';
import { OperatorError } from '../ops/operator-error.ts';
import { secretsOf } from '../ops/secrets.ts';
import { typedReference } from '../references.ts';
import type { DesignRequest } from '../requests/request.ts';
import { openDatabase, pendingMigrations, requireReachable } from '../store/database.ts';
import { isPostgres } from '../store/database-location.ts';
import type { Job } from '../store/jobs.ts';
import { createOperatorJobs, JOB_STATES, type JobState } from '../store/operator-jobs.ts';
import { type RequestStore, UNFINISHED_STATES } from '../store/requests.ts';
import { createStores } from '../store/stores.ts';
import { dropJob, requestOf, retryJob } from './jobs/change-job.ts';
import { aligned, UsageError } from './read-arguments.ts';

type JobOptions = {
  state?: string | undefined;
  kind?: string | undefined;
  workspace?: string | undefined;
  limit: string;
  json: boolean;
  content: boolean;
};

const NOT_MIGRATED =
  'The database is from an earlier version. Start the app, which migrates it, or run: npm run app -- migrate';

export async function jobs(options: JobOptions, [what = 'list', id]: string[]): Promise<void> {
  if (what === 'list' && id !== undefined) throw new UsageError(`Unexpected argument '${id}'.`);
  const reference = what === 'requests' && id !== undefined ? referenceIn(id) : undefined;
  const needsId = ['show', 'retry', 'drop'].includes(what);
  if (!needsId && !['list', 'requests'].includes(what))
    throw new UsageError(`There is no command '${what}'.`);
  if (needsId && !/^\d{1,15}$/.test(id ?? ''))
    throw new UsageError(`${what} needs the ID of a job, which is a number.`);
  const { states, limit } = filterOf(options);
  const { workspace } = options;
  const config = configFromEnvironment(COMMAND_STOPS);
  await using db = await open(config);
  const stores = createStores(db, config.encryptionKeys);
  const operatorJobs = createOperatorJobs(db);
  if (what === 'list') {
    const found = await operatorJobs.list({
      states,
      workspace,
      kind: options.kind,
      limit: limit + 1,
    });
    return printList(options, 'jobs', found, describeJob, jobTable);
  }
  if (what === 'requests') {
    const most = { workspace, limit: limit + 1 };
    const found = await findRequests(stores.requests, reference, most);
    return printList(options, 'requests', found, describeRequest, requestTable);
  }
  const job = await operatorJobs.get(Number(id));
  if (!job) throw new OperatorError(`There is no job ${id}. Done jobs are deleted after a day.`);
  const secrets = secretsOf(config);
  if (what === 'show') {
    const request = await requestOf(stores, job);
    return print(jobDetails(job, request, { withContent: options.content, secrets }));
  }
  const log = createLog({ level: 'info', secrets, destination: process.stderr });
  const { kind, workspaceId } = job;
  const about = { job: job.id, kind, workspace: workspaceId, by: operatorName() };
  const ctx = { stores, now: () => new Date(), log };
  if (what === 'retry') {
    await retryJob(ctx, job);
    log.info(about, 'an operator made a job run again');
    process.stdout.write(`Job ${job.id} is due. A running app starts it within a second.\n`);
  } else {
    const follows = await dropJob(ctx, job);
    log.info(about, 'an operator dropped a job');
    process.stdout.write(`Job ${job.id} is dropped. ${follows}\n`);
  }
}

function referenceIn(word: string): string {
  const reference = typedReference(word);
  if (reference) return reference;
  throw new UsageError(`'${word}' is not the reference of a request, such as DR-2DPXX9VK.`);
}

function filterOf({ state = 'ready,running,failed', limit }: JobOptions) {
  const states = state.split(',');
  if (!states.every(isState))
    throw new UsageError(`--state must be one or more of ${JOB_STATES.join(', ')}.`);
  if (!/^[1-9]\d{0,5}$/.test(limit))
    throw new UsageError('--limit must be a number from 1 to 999999.');
  return { states, limit: Number(limit) };
}

const isState = (text: string): text is JobState => JOB_STATES.some((state) => state === text);

/** The request with a reference, in any state. Without a reference, all that are unfinished, the oldest first. */
export async function findRequests(
  requests: Pick<RequestStore, 'unfinished' | 'withReference'>,
  reference: string | undefined,
  { workspace, limit }: { workspace?: string | undefined; limit: number },
): Promise<DesignRequest[]> {
  if (reference) return requests.withReference(reference);
  const found: DesignRequest[] = [];
  for (const state of UNFINISHED_STATES) {
    const most = found.length + limit;
    for await (const request of requests.unfinished(state)) {
      if (found.length === most) break;
      if (workspace === undefined || request.workspaceId === workspace) found.push(request);
    }
  }
  return found.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime()).slice(0, limit);
}

async function open({ database }: Config) {
  if (!isPostgres(database) && !existsSync(database.path)) {
    throw new OperatorError(`There is no database at ${database.path}.`);
  }
  const db = openDatabase(database);
  try {
    await requireReachable(db, database);
    if ((await pendingMigrations(db)).length > 0) throw new OperatorError(NOT_MIGRATED);
    return db;
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

/** @param found one more than is shown, if there are more */
function printList<Item>(
  { json, limit }: JobOptions,
  nouns: string,
  found: readonly Item[],
  describe: (item: Item) => unknown,
  tableOf: (items: readonly Item[], now: Date) => string[][],
): void {
  const shown = found.slice(0, Number(limit));
  if (json) {
    print(shown.map(describe));
    return;
  }
  const table = shown.length > 0 ? aligned(tableOf(shown, new Date())) : `No such ${nouns}.`;
  process.stdout.write(`${table}\n`);
  if (found.length > shown.length)
    process.stdout.write(`There are more: raise --limit ${limit}.\n`);
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** Containers may run as a user without a name. */
function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** In ms. */
const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const;

/** In its largest whole unit, such as `2h`. */
function inUnits(ms: number): string {
  const [unit, size] = UNITS.find(([, size]) => ms >= size) ?? ['s', 1_000];
  return `${Math.floor(Math.max(ms, 0) / size)}${unit}`;
}

const ageOf = (time: Date, now: Date) => inUnits(now.getTime() - time.getTime());

const dueIn = (at: number, now: Date) =>
  at > now.getTime() ? `in ${inUnits(at - now.getTime())}` : 'now';

/** Without the payload, which may contain what people typed. */
const describeJob = ({ payload: _payload, fence: _fence, identity: _identity, ...job }: Job) => job;

function jobTable(jobs: readonly Job[], now: Date): string[][] {
  const rows = jobs.map(({ id, state, kind, workspaceId, createdAt, runAt, attempts }) => {
    const next = state === 'ready' ? dueIn(runAt.getTime(), now) : '';
    return [`${id}`, state, kind, workspaceId, ageOf(createdAt, now), `${attempts}`, next];
  });
  return [['ID', 'STATE', 'KIND', 'WORKSPACE', 'AGE', 'TRIES', 'RUNS'], ...rows];
}

export function requestTable(requests: readonly DesignRequest[], now: Date): string[][] {
  const rows = requests.map((request) => {
    const { reference, state, workspaceId, userId, createdAt, attempts, problem } = request;
    const next = problem?.retryAt === undefined ? '' : dueIn(problem.retryAt, now);
    const why = problem?.code ?? '';
    const age = ageOf(createdAt, now);
    return [reference, state, workspaceId, userId, age, `${attempts}`, why, next];
  });
  const heads = ['REQUEST', 'STATE', 'WORKSPACE', 'PERSON', 'AGE', 'TRIES', 'PROBLEM', 'RUNS'];
  return [heads, ...rows];
}

function jobDetails(
  job: Job,
  request: DesignRequest | null | undefined,
  { withContent, secrets }: { withContent: boolean; secrets: readonly string[] },
): Record<string, unknown> {
  const described = {
    ...describeJob(job),
    ...(request === undefined ? {} : { request: request && describeRequest(request) }),
  };
  if (!withContent) return described;
  const content = { payload: job.payload, ...(request ? { form: request.form } : {}) };
  return { ...described, ...JSON.parse(hiding(secrets)(JSON.stringify(content))) };
}

/** Without the form, and without what its problem quotes of it. */
const describeRequest = ({
  form: _form,
  problem,
  viewId: _viewId,
  sentBy: _sentBy,
  message: _message,
  ...request
}: DesignRequest) => ({ ...request, problem: problem?.code });
