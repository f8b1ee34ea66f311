import { sql, type Updateable } from 'kysely';
import type { Database } from './database.ts';
import { type Job, toJob } from './jobs.ts';
import { createRowReader } from './rows.ts';
import type { Row, Schema } from './tables.ts';

export const JOB_STATES = ['ready', 'running', 'failed', 'done'] as const;
export type JobState = (typeof JOB_STATES)[number];

export type JobFilter = {
  states: readonly JobState[];
  kind?: string | undefined;
  workspace?: string | undefined;
  limit: number;
};

/** Failed, running, waiting (in the order in which they run), and done jobs; the oldest first. */
const LISTED_ORDER = sql`
  case state when 'failed' then 0 when 'running' then 1 when 'ready' then 2 else 3 end,
  case state when 'ready' then -priority end,
  case state when 'ready' then run_at when 'done' then finished_at end,
  id`;

/** For the operator's commands, which run in a process of their own beside the app. */
export function createOperatorJobs(db: Database, read = createRowReader()) {
  /** Only if nothing has happened to it since it was read; invalidates every claim. */
  async function change({ id, state, fence }: Job, to: Updateable<Schema['jobs']>) {
    const { numUpdatedRows } = await db
      .updateTable('jobs')
      .set({ ...to, fence: fence + 1 })
      .where((eb) => eb.and({ id, state, fence }))
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  return {
    async list({ states, kind, workspace, limit }: JobFilter) {
      const { rows } = await sql<Row<'jobs'>>`select * from jobs
        where state in (${sql.join(states)})
          and ${kind === undefined ? sql`true` : sql`kind = ${kind}`}
          and ${workspace === undefined ? sql`true` : sql`workspace_id = ${workspace}`}
        order by ${LISTED_ORDER} limit ${limit}`.execute(db);
      return rows.map((row) => toJob(row, read));
    },

    async get(id: number) {
      const row = await db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst();
      return row && toJob(row, read);
    },

    /** Makes a failed or ready job run now, with all its chances. @returns whether it could */
    retry: async (job: Job, now: Date) =>
      ['ready', 'failed'].includes(job.state) &&
      change(job, { state: 'ready', runAt: now, finishedAt: null, attempts: 0, crashes: 0 }),

    /** Makes a ready job a failed one. @returns whether it could */
    drop: async (job: Job, now: Date) =>
      job.state === 'ready' && change(job, { state: 'failed', finishedAt: now }),
  };
}
