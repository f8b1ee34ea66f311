import { type ExpressionBuilder, expressionBuilder, type Selectable, sql } from 'kysely';
import { CLOCKS_DIFFER_MS } from '../clock.ts';
import type { WorkspaceId } from '../installations/workspace-id.ts';
import { ageFromNow, deleteInBatches, updateInBatches } from './batches.ts';
import { bringForward } from './bring-forward.ts';
import { commitTogether } from './commit-together.ts';
import type { Database } from './database.ts';
import { engineOf } from './engine.ts';
import { insertJobs, type JobRow, jobRow, type NewJob, toAdded } from './insert-jobs.ts';
import { type AddedJob, createJobNotifications } from './job-notifications.ts';
import { aliveReplica } from './replicas.ts';
import { createRowReader, type ReadRow } from './row-reader.ts';
import type { JobsTable, Schema } from './schema.ts';

export type ClaimedJob = {
  id: number;
  kind: string;
  workspaceId: WorkspaceId;
  identity: string | null;
  /** Undefined if it can't be read. */
  payload: unknown;
  /** The number of this attempt, from 1. */
  attempt: number;
  isUrgent: boolean;
  fence: number;
  /**
   * When it was due, if that was later than its creation. To the millisecond the time that it was postponed to: the
   * limiter of unfurls (`src/slack/card/unfurl-limiter.ts`) recognizes the place that it reserved by it.
   */
  postponedTo?: Date | undefined;
};

/** Limits which jobs may be claimed. */
type Claimable = {
  isUrgent: boolean;
  /** Workspaces to skip. */
  notOf: readonly WorkspaceId[];
};

export type JobStore = {
  /** @returns false if a job with this identity exists already */
  add(job: NewJob, now: Date): Promise<boolean>;
  /** Calls the listener when this process has added jobs, once they are committed. */
  onAdded(listener: (jobs: readonly AddedJob[]) => void): void;
  /** Claims the job that has been due for the longest time, urgent ones first. */
  claim(now: Date, which?: Claimable): Promise<ClaimedJob | undefined>;
  /** Like `postpone`, changes nothing if another process has claimed the job since. */
  finish(job: ClaimedJob, state: 'done' | 'failed', now: Date): Promise<void>;
  /** @param options.counts false if this wasn't a failed attempt */
  postpone(job: ClaimedJob, runAt: Date, now: Date, options?: { counts: boolean }): Promise<void>;
  /** Makes a waiting job due earlier. One that is due sooner, runs, or has finished is not changed. */
  bringForward(identity: string, runAt: Date, now: Date): Promise<void>;
  /**
   * After the clock was set back, makes jobs due that were scheduled before and would have to wait for that much
   * longer. A job that runs too early finds that out and is postponed.
   *
   * @returns how many
   */
  runScheduledAhead(now: Date): Promise<number>;
  /** When the next job may be claimed, or undefined if none is waiting. */
  nextRunAt(which?: Claimable): Promise<Date | undefined>;
  /** Deletes finished jobs, and with them the identities of their events. */
  prune(finishedBefore: Date, now: Date): Promise<number>;
  /** Whether a job is running under this claim. After its process has died, this is true until it is reclaimed. */
  isHeld(claim: string): Promise<boolean>;
  /** Whether a job with this identity is waiting or running. */
  isPending(identity: string): Promise<boolean>;
  /**
   * Reclaims the jobs of processes that have died, and counts the crash. After the second crash in a row, such
   * jobs run one after the other, so that only the one at fault is counted again.
   *
   * @param chances how many crashes a job may have
   * @returns jobs that have used up their chances, claimed by this process; the caller gives up on them
   */
  releaseAbandoned(now: Date, chances: number): Promise<ClaimedJob[]>;
};

/** Identifies one claim of one job, so that others can find out later whether it is still held. */
export const claimOf = ({ id, fence }: Pick<ClaimedJob, 'id' | 'fence'>): string =>
  `${id}/${fence}`;

/** Selects the job that is running under this claim, if the claim is still held. */
export function jobHeldUnder(claim: string) {
  const [id = 0, fence = 0] = claim.split('/').map(Number);
  return expressionBuilder<Schema>()
    .selectFrom('jobs')
    .select('jobs.id')
    .where('jobs.id', '=', id)
    .where('jobs.fence', '=', fence)
    .where('jobs.state', '=', 'running');
}

/** The time between jobs that were running at several crashes, in ms: far longer than most jobs take. */
const SUSPECTS_APART_MS = 2_000;

/**
 * @param options.notifications shared with whatever else in this process adds jobs
 * @param options.processId identifies this process among those that share the database
 */
export function createJobStore(
  db: Database,
  { notifications = createJobNotifications(), processId = '', read = createRowReader() } = {},
): JobStore {
  const isShared = engineOf(db) === 'postgres';
  const insertTogether = commitTogether((rows: readonly JobRow[]) => insertJobs(db, rows));
  const held = (job: ClaimedJob) =>
    db.updateTable('jobs').where('id', '=', job.id).where('fence', '=', job.fence);

  /** Claims the jobs that no live process holds, and counts the crash. */
  const takeAbandoned = (tx: Database) =>
    tx
      .updateTable('jobs')
      .set((eb) => ({
        claimed_by: processId,
        fence: eb('fence', '+', 1),
        crashes: eb('crashes', '+', 1),
      }))
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('jobs')
          .select('id')
          .where('state', '=', sql.lit('running'))
          // SQLite is used by one process at a time, so any earlier claim is from one that has ended.
          .$if(isShared, (query) =>
            query
              .where(({ or, eb, not, exists }) =>
                or([eb('claimed_by', 'is', null), not(exists(aliveReplica('jobs.claimed_by')))]),
              )
              .forUpdate()
              .skipLocked(),
          ),
      )
      .returningAll()
      .execute();

  return {
    async add(job, now) {
      // Serialized before the job joins a batch, so that an error affects no other job.
      const isNew = await insertTogether(jobRow(job, now));
      if (isNew) notifications.added([toAdded(job, now)]);
      return isNew;
    },

    onAdded: notifications.listen,

    async claim(now, which) {
      const row = await db
        .updateTable('jobs')
        .set((eb) => ({
          state: 'running',
          claimed_by: processId,
          fence: eb('fence', '+', 1),
          attempts: eb('attempts', '+', 1),
        }))
        .where('id', '=', (eb) =>
          eb
            .selectFrom('jobs')
            .select('id')
            .where('state', '=', sql.lit('ready'))
            .where('run_at', '<=', now.getTime())
            .where(claimable(which))
            .orderBy('priority', 'desc')
            .orderBy('run_at')
            .orderBy('id')
            .limit(1)
            // Doesn't wait for jobs that another replica is claiming.
            .$if(isShared, (query) => query.forUpdate().skipLocked()),
        )
        .where('state', '=', sql.lit('ready'))
        .returningAll()
        .executeTakeFirst();
      return row && toClaimed(row, read);
    },

    async finish(job, state, now) {
      await held(job).set({ state, finished_at: now.getTime() }).execute();
    },

    async postpone(job, runAt, now, { counts } = { counts: true }) {
      const attempts = counts ? job.attempt : job.attempt - 1;
      const times = { run_at: runAt.getTime(), scheduled_at: now.getTime() };
      await held(job)
        .set({ state: 'ready', ...times, attempts, crashes: 0 })
        .execute();
    },

    async bringForward(identity, runAt, now) {
      notifications.added(await bringForward(db, { identity, runAt }, now));
    },

    runScheduledAhead: (now) =>
      updateInBatches(db, 'jobs', {
        values: sql`run_at = ${now.getTime()}, scheduled_at = ${now.getTime()}`,
        // Worded so that the index of waiting jobs covers it.
        condition: sql`state = 'ready' and priority in (0, 1) and run_at > ${now.getTime()}
          and scheduled_at > ${now.getTime() + CLOCKS_DIFFER_MS} order by priority, run_at`,
      }),

    async nextRunAt(which) {
      const row = await db
        .selectFrom('jobs')
        .select('run_at')
        .where('state', '=', sql.lit('ready'))
        .where(claimable(which))
        .orderBy('run_at')
        .limit(1)
        .executeTakeFirst();
      return row && new Date(row.run_at);
    },

    async prune(finishedBefore, now) {
      const condition = sql`finished_at is not null`;
      await ageFromNow(db, 'jobs', { column: 'finished_at', condition, now });
      const isOld = sql`finished_at < ${finishedBefore.getTime()} order by finished_at`;
      return deleteInBatches(db, 'jobs', isOld);
    },

    async isHeld(claim) {
      const row = await db
        .selectNoFrom(({ exists }) => exists(jobHeldUnder(claim)).as('isHeld'))
        .executeTakeFirstOrThrow();
      return Boolean(row.isHeld);
    },

    async isPending(identity) {
      const row = await db
        .selectFrom('jobs')
        .select('id')
        .where('identity', '=', identity)
        .where('finished_at', 'is', null)
        .executeTakeFirst();
      return row !== undefined;
    },

    async releaseAbandoned(now, chances) {
      const abandoned = await db.transaction().execute(async (tx) => {
        const taken = await takeAbandoned(tx);
        let suspectsRunAt = now.getTime();
        for (const { id, run_at, crashes } of taken.toSorted((a, b) => a.id - b.id)) {
          if (crashes >= chances) continue;
          const runAt = crashes === 1 ? run_at : suspectsRunAt;
          if (crashes > 1) suspectsRunAt += SUSPECTS_APART_MS;
          await tx
            .updateTable('jobs')
            .set({ state: 'ready', run_at: runAt, scheduled_at: now.getTime() })
            .where('id', '=', id)
            .execute();
        }
        return taken;
      });
      return abandoned
        .filter(({ crashes }) => crashes >= chances)
        .map((row) => toClaimed(row, read));
    },
  };
}

const claimable = (which: Claimable | undefined) => (eb: ExpressionBuilder<Schema, 'jobs'>) =>
  which
    ? eb.and([
        eb('priority', '=', which.isUrgent ? 1 : 0),
        ...(which.notOf.length > 0 ? [eb('workspace_id', 'not in', which.notOf)] : []),
      ])
    : eb.lit(true);

/** @returns undefined if it can't be read */
export const payloadOf = (row: Selectable<JobsTable>, read: ReadRow): unknown =>
  read({ table: 'jobs', id: row.id, workspace: row.workspace_id }, () => JSON.parse(row.payload));

function toClaimed(row: Selectable<JobsTable>, read: ReadRow): ClaimedJob {
  return {
    id: row.id,
    kind: row.kind,
    workspaceId: row.workspace_id,
    identity: row.identity,
    payload: payloadOf(row, read),
    attempt: row.attempts,
    isUrgent: row.priority === 1,
    fence: row.fence,
    postponedTo: row.run_at > row.created_at ? new Date(row.run_at) : undefined,
  };
}
