import { sql, type Updateable } from 'kysely';
import type { Database } from './database.ts';
import { type Job, toJob } from './jobs.ts';
import { createRowReader } from './rows.ts';
import type { Schema } from './tables.ts';

export const JOB_STATES = ['ready', 'running', 'failed', 'done'] as const;
export type JobState = (typeof JOB_STATES)[number];

export type JobFilter = {
  states: readonly JobState[];
  kind?: string | undefined;
  workspace?: string | undefined;
  limit: number;
};

/** In the order in which they are listed, each by its index: urgent jobs run first. */
const PARTS: readonly { state: JobState; priority?: 0 | 1 }[] = [
  { state: 'failed' },
  { state: 'running' },
  { state: 'ready', priority: 1 },
  { state: 'ready', priority: 0 },
  { state: 'done' },
];

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

  /** Reads the rows in the order of an index, because the table may have millions. */
  const jobsIn = (
    { state, priority }: (typeof PARTS)[number],
    { kind, workspace }: JobFilter,
    limit: number,
  ) =>
    db
      .selectFrom('jobs')
      .selectAll()
      // A literal, because a partial index is used only if the statement names its state.
      .where('state', '=', sql.lit(state))
      .$if(priority !== undefined, (query) => query.where('priority', '=', priority ?? 0))
      .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? ''))
      .$if(workspace !== undefined, (query) =>
        query.where((eb) => eb(eb.ref('workspaceId').$castTo<string>(), '=', workspace ?? '')),
      )
      .$if(state === 'ready', (query) => query.orderBy('runAt'))
      .$if(state === 'done' && workspace === undefined, (query) =>
        query.where('finishedAt', 'is not', null).orderBy('finishedAt'),
      )
      // There are few running jobs, in an index with another order.
      .$if(state !== 'running', (query) => query.orderBy('id'))
      .limit(limit)
      .execute();

  return {
    /** Failed, running, waiting (in the order in which they run), and done jobs; the oldest first. */
    async list(filter: JobFilter) {
      const found: Job[] = [];
      for (const part of PARTS.filter(({ state }) => filter.states.includes(state))) {
        const rows = await jobsIn(part, filter, filter.limit - found.length);
        found.push(...rows.map((row) => toJob(row, read)));
        if (found.length >= filter.limit) break;
      }
      return found;
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
