import { type Selectable, sql } from 'kysely';
import type { WorkspaceId } from '../installations/workspace-id.ts';
import type { Database } from './database.ts';
import { payloadOf } from './jobs.ts';
import { createRowReader } from './row-reader.ts';
import type { JobsTable } from './schema.ts';

export const JOB_STATES = ['ready', 'running', 'failed', 'done'] as const;
export type JobState = (typeof JOB_STATES)[number];

/** A job, as whoever runs the app sees it. */
export type StoredJob = {
  id: number;
  kind: string;
  workspaceId: WorkspaceId;
  state: JobState;
  isUrgent: boolean;
  attempts: number;
  /** In a row. */
  crashes: number;
  createdAt: Date;
  runAt: Date;
  finishedAt: Date | undefined;
  fence: number;
  identity: string | null;
  /** May contain what people typed. Undefined if it can't be read. */
  payload: unknown;
};

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
  const toStored = (row: Selectable<JobsTable>) => storedJob(row, payloadOf(row, read));

  /** A change only if nothing has happened to it since it was read; it invalidates every claim. */
  const unchanged = (job: StoredJob) =>
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
          query.where('createdAt', '<', createdBefore?.getTime() ?? 0),
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
      const found: StoredJob[] = [];
      for (const part of PARTS.filter(({ state }) => filter.states.includes(state))) {
        const rows = await jobsIn(part, filter, filter.limit - found.length);
        found.push(...rows.map(toStored));
        if (found.length >= filter.limit) break;
      }
      return found;
    },

    async get(id: number) {
      const row = await db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst();
      return row && toStored(row);
    },

    /** Makes a failed or ready job run now, with all its chances. @returns whether it was changed */
    async retry(job: StoredJob, now: Date) {
      if (job.state !== 'ready' && job.state !== 'failed') return false;
      const changed = await unchanged(job)
        .set({ state: 'ready', runAt: now.getTime(), finishedAt: null, attempts: 0, crashes: 0 })
        .returning('id')
        .execute();
      return changed.length > 0;
    },

    /** Ends a ready job, which has then failed. @returns whether it was changed */
    async drop(job: StoredJob, now: Date) {
      if (job.state !== 'ready') return false;
      const changed = await unchanged(job)
        .set({ state: 'failed', finishedAt: now.getTime() })
        .returning('id')
        .execute();
      return changed.length > 0;
    },
  };
}

const storedJob = (row: Selectable<JobsTable>, payload: unknown): StoredJob => ({
  id: row.id,
  kind: row.kind,
  workspaceId: row.workspaceId,
  state: row.state,
  isUrgent: row.priority === 1,
  attempts: row.attempts,
  crashes: row.crashes,
  createdAt: new Date(row.createdAt),
  runAt: new Date(row.runAt),
  finishedAt: row.finishedAt === null ? undefined : new Date(row.finishedAt),
  fence: row.fence,
  identity: row.identity,
  payload,
});
