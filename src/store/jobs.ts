import { expressionBuilder, type Insertable, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import type { WorkspaceId } from '../installations/workspace-id.ts';
import { commitTogether } from './commit-together.ts';
import type { Database } from './database.ts';
import { isAlive } from './replicas.ts';
import { createRowReader, engineOf, inLockOrder, type ReadRow } from './rows.ts';
import type { Row, Schema } from './tables.ts';

export type NewJob = {
  kind: string;
  workspaceId: WorkspaceId;
  payload: unknown;
  /** A second job with the same identity isn't added: it is a repeated event. */
  identity?: string | undefined;
  runAt?: Date | undefined;
  /** Whether a person waits for it. */
  isUrgent?: boolean | undefined;
};

type JobRow = Insertable<Schema['jobs']>;

export type Job = ReturnType<typeof toJob>;
/** One that runs; `attempts` counts this one, too. */
export type ClaimedJob = Omit<Job, 'state' | 'crashes' | 'finishedAt' | 'isUrgent'>;

export type JobStore = ReturnType<typeof createJobStore>;

/** Jobs wait for the network rather than the processor, so one process runs many at once. */
const SLOTS = 32;
/** Kept for urgent jobs, so that many posted links don't delay people's requests. */
const URGENT_ONLY = 8;
/** Jobs of each urgency at once, so that one workspace's slow calls delay no other. */
export const PER_WORKSPACE = 8;
/** Due jobs of each urgency that a claim reads: more than it takes, as workspaces have limits. */
const LOOKED_AT = 64;
/** Jobs that were running at several crashes start at this many times, this far apart. */
const SUSPECTS_TIMES = 16;
const SUSPECTS_APART_MS = 2_000;

/** Identifies one claim of one job, for `isHeldUnder`. */
export const claimOf = ({ id, fence }: Pick<ClaimedJob, 'id' | 'fence'>): string =>
  `${id}/${fence}`;

export function isHeldUnder(claim: string) {
  const [id = 0, fence = 0] = claim.split('/').map(Number);
  return sql<SqlBool>`exists (select 1 from jobs where id = ${id} and fence = ${fence} and state = 'running')`;
}

const columns = expressionBuilder<Schema, 'jobs'>();

/** Gets the times of jobs that were added: in a transaction an array, otherwise the job runner. */
export type AddedJobs = { push(runAt: Date): unknown };

/** @param options.added shared with whatever else in this process adds jobs */
export function createJobStore(
  db: Database,
  { added = { push: () => undefined } as AddedJobs, processId = '', read = createRowReader() } = {},
) {
  const isShared = engineOf(db) === 'postgres';
  // A transaction commits as a whole anyway, and would hold its connection while waiting for others.
  const insertTogether = db.isTransaction
    ? undefined
    : commitTogether((rows: readonly JobRow[]) => insertJobs(db, rows));
  const held = ({ id, fence }: ClaimedJob) =>
    db.updateTable('jobs').where(columns.and({ id, fence }));

  /** Until this claim is committed, those of other replicas take other jobs. */
  const lockedByUs = isShared ? sql`for update skip locked` : sql``;

  /** Read from the index up to the limit, however many are due. */
  const oldestDue = (priority: 0 | 1, now: Date) => sql`
    select id, workspace_id, priority, run_at from jobs
    where state = 'ready' and priority = ${sql.lit(priority)} and run_at <= ${now}
      and not exists (
        select 1 from ours where ours.workspace_id = jobs.workspace_id
          and ours.priority = ${sql.lit(priority)} and running >= ${sql.lit(PER_WORKSPACE)}
      )
    order by run_at, id limit ${sql.lit(LOOKED_AT)} ${lockedByUs}`;

  return {
    /** @returns false if a job with this identity exists already */
    async add(job: NewJob, now: Date) {
      const { kind, workspaceId, identity, payload, runAt = now, isUrgent } = job;
      const row: JobRow = {
        kind,
        workspaceId,
        identity,
        state: 'ready',
        priority: isUrgent ? 1 : 0,
        runAt,
        // Serialized before the job joins a batch, so that an error affects no other job.
        payload: JSON.stringify(payload),
        createdAt: now,
      };
      const [isNew = false] = insertTogether
        ? [await insertTogether(row)]
        : await insertJobs(db, [row]);
      if (isNew) added.push(runAt);
      return isNew;
    },

    /** Whoever asked before isn't called any more. */
    onAdded(listener: AddedJobs['push']) {
      added.push = listener;
    },

    /**
     * Takes urgent and then the oldest due jobs; none if this process has lost its lease.
     *
     * @param atMost written into the statement: SQLite prepares it again whenever a parameter of its limit is bound
     */
    async claim(now: Date, atMost: number) {
      const { rows } = await sql<Row<'jobs'>>`
        with ours as (
          select workspace_id, priority, count(*) as running from jobs
          where state = 'running' and claimed_by = ${processId} group by workspace_id, priority
        ), due as (
          select * from (${oldestDue(1, now)}) as urgent union all select * from (${oldestDue(0, now)}) as others
        ), numbered as (
          select id, due.priority,
            row_number() over (order by due.priority desc, run_at, id)
              + (select coalesce(sum(running), 0) from ours) as of_all,
            row_number() over (partition by due.workspace_id, due.priority order by run_at, id)
              + coalesce(running, 0) as of_workspace
          from due left join ours
            on ours.workspace_id = due.workspace_id and ours.priority = due.priority
        )
        update jobs
        set state = 'running', claimed_by = ${processId}, fence = fence + 1, attempts = attempts + 1
        where id in (
          select id from numbered
          where of_all <= case priority when 1 then ${sql.lit(SLOTS)} else ${sql.lit(SLOTS - URGENT_ONLY)} end
            and of_workspace <= ${sql.lit(PER_WORKSPACE)}
          order by of_all limit ${sql.lit(atMost)}
        ) ${isShared ? sql`and ${isAlive(sql`${processId}`)}` : sql``}
        returning *`.execute(db);
      return rows
        .toSorted(
          (a, b) => b.priority - a.priority || Number(a.runAt) - Number(b.runAt) || a.id - b.id,
        )
        .map((row) => toJob(row, read));
    },

    /** Changes nothing if another process has claimed the job since; nor does `postpone`. */
    async finish(job: ClaimedJob, state: 'done' | 'failed', now: Date) {
      await held(job).set({ state, finishedAt: now }).execute();
    },

    /** @param options.counts false if this wasn't a failed attempt */
    async postpone(job: ClaimedJob, runAt: Date, { counts } = { counts: true }) {
      const attempts = counts ? job.attempts : job.attempts - 1;
      await held(job).set({ state: 'ready', runAt, attempts, crashes: 0 }).execute();
    },

    /** Does nothing to a job that is due sooner, runs, or has finished. */
    async bringForward(identity: string, runAt: Date) {
      const changed = await db
        .updateTable('jobs')
        .set({ runAt })
        .where('identity', '=', identity)
        .where('state', '=', 'ready')
        .where('runAt', '>', runAt)
        .returning('id')
        .execute();
      if (changed.length > 0) added.push(runAt);
    },

    /** Still true after its process has died, until the job is reclaimed. */
    async isHeld(claim: string) {
      const row = await db.selectNoFrom(isHeldUnder(claim).as('isHeld')).executeTakeFirstOrThrow();
      return Boolean(row.isHeld);
    },

    async isPending(identity: string) {
      const row = await db
        .selectFrom('jobs')
        .select('id')
        .where('identity', '=', identity)
        .where('finishedAt', 'is', null)
        .executeTakeFirst();
      return row !== undefined;
    },

    /**
     * Reclaims the jobs of processes that have died, and counts the crash. After two crashes in a row,
     * they run at different times, so that only the one at fault is counted again.
     *
     * @returns jobs without chances left, claimed by this process; the caller gives up on them
     */
    async releaseAbandoned(now: Date, chances: number) {
      // SQLite is used by one process at a time, so any earlier claim is from one that has ended.
      const isAbandoned = sql`(claimed_by is null or not ${isAlive(sql`jobs.claimed_by`)})`;
      const { rows } = await sql<Row<'jobs'>>`
        update jobs
        set fence = fence + 1, crashes = crashes + 1, claimed_by = ${processId},
          state = case when crashes + 1 < ${chances} then 'ready' else 'running' end,
          run_at = case when crashes = 0 then run_at
            else ${sql.lit(now.getTime())} + (id % ${sql.lit(SUSPECTS_TIMES)}) * ${sql.lit(SUSPECTS_APART_MS)} end
        where id in (
          select id from jobs
          where state = 'running' ${isShared ? sql`and ${isAbandoned} ${lockedByUs}` : sql``}
        )
        returning *`.execute(db);
      return rows.filter(({ crashes }) => crashes >= chances).map((row) => toJob(row, read));
    },
  };
}

/** @returns for each, in the same order, whether it was added: its identity is new */
async function insertJobs(db: Database, rows: readonly JobRow[]): Promise<boolean[]> {
  const added = await db
    .insertInto('jobs')
    .values(inLockOrder(rows, 'identity'))
    .onConflict((conflict) => conflict.column('identity').doNothing())
    .returning('identity')
    .execute();
  const fresh = new Set(added.map(({ identity }) => identity));
  // If an identity occurs twice in `rows`, the first one was added.
  return rows.map(({ identity }) => !identity || fresh.delete(identity));
}

/** The payload is undefined if it can't be read. */
export function toJob({ priority, claimedBy: _, ...row }: Row<'jobs'>, read: ReadRow) {
  const { id, workspaceId: workspace } = row;
  const payload = read({ table: 'jobs', id, workspace }, z.unknown(), row.payload);
  return { ...row, payload, isUrgent: priority === 1 };
}
