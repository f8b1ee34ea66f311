import { type Selectable, sql } from 'kysely';
import { commitTogether } from './commit-together.ts';
import type { Database } from './database.ts';
import { insertJobs, type JobRow, jobRow, type NewJob } from './insert-jobs.ts';
import { createJobArrivals } from './job-arrivals.ts';
import type { JobsTable } from './schema.ts';

export type ClaimedJob = {
  id: number;
  kind: string;
  workspaceId: string;
  payload: unknown;
  /** This attempt's number, from 1. */
  attempt: number;
  isUrgent: boolean;
  fence: number;
  /** When it was to be tried again; undefined for one that has not been postponed. */
  postponedTo?: Date | undefined;
};

export type JobStore = {
  /** @returns false where a job of this identity is known already */
  add(job: NewJob, now: Date): Promise<boolean>;
  /** Calls whenever this process has added jobs, once they are committed. */
  onAdded(listener: () => void): void;
  /**
   * Takes an urgent job, else the job that has waited longest.
   *
   * @param options.urgentOnly leaves the others where they are
   */
  claim(now: Date, options?: { urgentOnly: boolean }): Promise<ClaimedJob | undefined>;
  /** Each of these changes nothing where the job was claimed by somebody else since. */
  finish(job: ClaimedJob, state: 'done' | 'failed', now: Date): Promise<void>;
  /** @param options.counts false where nothing failed, and the attempt is not to be counted */
  postpone(job: ClaimedJob, runAt: Date, options?: { counts: boolean }): Promise<void>;
  /** When the next job may be claimed, or undefined where none waits. */
  nextRunAt(options?: { urgentOnly: boolean }): Promise<Date | undefined>;
  /** Forgets finished jobs, and with them the identities of the events that they stood for. */
  prune(finishedBefore: Date): Promise<number>;
  /** Gives back what a process that no longer runs had claimed. */
  releaseAll(): Promise<number>;
};

/** @param arrivals who else adds jobs to this table, in this process, tells of them there */
export function createJobStore(db: Database, arrivals = createJobArrivals()): JobStore {
  const insertTogether = commitTogether((rows: readonly JobRow[]) => insertJobs(db, rows));
  const held = (job: ClaimedJob) =>
    db.updateTable('jobs').where('id', '=', job.id).where('fence', '=', job.fence);

  return {
    async add(job, now) {
      // Made into text before it waits with others: what can't be written harms nobody else.
      const isNew = await insertTogether(jobRow(job, now));
      if (isNew) arrivals.tell();
      return isNew;
    },

    onAdded: arrivals.listen,

    async claim(now, { urgentOnly } = { urgentOnly: false }) {
      const row = await db
        .updateTable('jobs')
        .set((eb) => ({
          state: 'running',
          fence: eb('fence', '+', 1),
          attempts: eb('attempts', '+', 1),
        }))
        .where('id', '=', (eb) =>
          eb
            .selectFrom('jobs')
            .select('id')
            .where('state', '=', sql.lit('ready'))
            .where('run_at', '<=', now.getTime())
            .where('priority', '>=', urgentOnly ? 1 : 0)
            .orderBy('priority', 'desc')
            .orderBy('run_at')
            .orderBy('id')
            .limit(1),
        )
        .where('state', '=', sql.lit('ready'))
        .returningAll()
        .executeTakeFirst();
      return row && toClaimed(row);
    },

    async finish(job, state, now) {
      await held(job).set({ state, finished_at: now.getTime() }).execute();
    },

    async postpone(job, runAt, { counts } = { counts: true }) {
      const attempts = counts ? job.attempt : job.attempt - 1;
      await held(job).set({ state: 'ready', run_at: runAt.getTime(), attempts }).execute();
    },

    async nextRunAt({ urgentOnly } = { urgentOnly: false }) {
      const row = await db
        .selectFrom('jobs')
        .select('run_at')
        .where('state', '=', sql.lit('ready'))
        .where('priority', '>=', urgentOnly ? 1 : 0)
        .orderBy('run_at')
        .limit(1)
        .executeTakeFirst();
      return row && new Date(row.run_at);
    },

    async prune(finishedBefore) {
      const result = await db
        .deleteFrom('jobs')
        .where('finished_at', '<', finishedBefore.getTime())
        .executeTakeFirst();
      return Number(result.numDeletedRows);
    },

    async releaseAll() {
      const result = await db
        .updateTable('jobs')
        .set({ state: 'ready' })
        .where('state', '=', 'running')
        .executeTakeFirst();
      return Number(result.numUpdatedRows);
    },
  };
}

function toClaimed(row: Selectable<JobsTable>): ClaimedJob {
  return {
    id: row.id,
    kind: row.kind,
    workspaceId: row.workspace_id,
    payload: JSON.parse(row.payload),
    attempt: row.attempts,
    isUrgent: row.priority === 1,
    fence: row.fence,
    postponedTo: row.run_at > row.created_at ? new Date(row.run_at) : undefined,
  };
}
