import { sql } from 'kysely';
import type { Database } from './database.ts';
import { type Job, toJob } from './jobs.ts';
import { createRowReader } from './row-reader.ts';

export const JOB_STATES = ['ready', 'running', 'failed', 'done'] as const;
export type JobState = (typeof JOB_STATES)[number];

export type JobFilter = {
  states: readonly JobState[];
  kind?: string | undefined;
  workspace?: string | undefined;
  createdBefore?: Date | undefined;
  limit: number;
};

type Part = { state: JobState; isUrgent?: boolean };
const PARTS: readonly Part[] = [
  { state: 'failed' },
  { state: 'running' },
  { state: 'ready', isUrgent: true },
  { state: 'ready', isUrgent: false },
  { state: 'done' },
];

/** The job table for the operator's commands, which run in a process of their own while the app runs. */
export function createOperatorJobs(db: Database, read = createRowReader()) {
  /** A change only if nothing has happened to it since it was read; it invalidates every claim. */
  const unchanged = (job: Job) =>
    db
      .updateTable('jobs')
      .set((eb) => ({ fence: eb('fence', '+', 1) }))
      .where('id', '=', job.id)
      .where('state', '=', job.state)
      .where('fence', '=', job.fence);

  /** Jobs of one state, in the order of its index: the table may have millions of rows. */
  const jobsIn = (part: Part, { kind, workspace, createdBefore }: JobFilter, limit: number) => {
    const { state, isUrgent } = part;
    return (
      db
        .selectFrom('jobs')
        .selectAll()
        // As literals, since the indexes are for these states.
        .where('state', '=', sql.lit(state))
        .$if(isUrgent !== undefined, (query) => query.where('priority', '=', isUrgent ? 1 : 0))
        .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? ''))
        .$if(workspace !== undefined, (query) =>
          query.where((eb) => eb(eb.ref('workspaceId').$castTo<string>(), '=', workspace ?? '')),
        )
        .$if(createdBefore !== undefined, (query) =>
          query.where('createdAt', '<', createdBefore ?? new Date()),
        )
        .$if(state === 'ready', (query) => query.orderBy('runAt'))
        .$if(state === 'done' && workspace === undefined, (query) =>
          query.where('finishedAt', 'is not', null).orderBy('finishedAt'),
        )
        // There are few running jobs, in an index with another order.
        .$if(state !== 'running', (query) => query.orderBy('id'))
        .limit(limit)
        .execute()
    );
  };

  return {
    /** Failed jobs, then running ones, waiting ones in the order in which they run, and done ones; the oldest first. */
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

    /** Makes a failed or ready job run now, with all its chances. @returns whether it was changed */
    async retry(job: Job, now: Date) {
      if (job.state !== 'ready' && job.state !== 'failed') return false;
      const changed = await unchanged(job)
        .set({ state: 'ready', runAt: now, finishedAt: null, attempts: 0, crashes: 0 })
        .returning('id')
        .execute();
      return changed.length > 0;
    },

    /** Ends a ready job, which has then failed. @returns whether it was changed */
    async drop(job: Job, now: Date) {
      if (job.state !== 'ready') return false;
      const changed = await unchanged(job)
        .set({ state: 'failed', finishedAt: now })
        .returning('id')
        .execute();
      return changed.length > 0;
    },
  };
}
