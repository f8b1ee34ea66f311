import { type ExpressionBuilder, expressionBuilder, type Selectable, sql } from 'kysely';
import { CLOCKS_DIFFER_MS } from '../clock.ts';
import type { WorkspaceId } from '../installations/workspace-id.ts';
import { ageFromNow, deleteInBatches, updateInBatches } from './batches.ts';
import { commitTogether } from './commit-together.ts';
import type { Database } from './database.ts';
import { engineOf } from './engine.ts';
import { jobRow, type NewJob, toAdded } from './insert-jobs.ts';
import { createNewJobInsert } from './insert-new-jobs.ts';
import { type AddedJob, createJobNotifications } from './job-notifications.ts';
import { aliveReplica } from './replicas.ts';
import type { JobsTable, Schema } from './schema.ts';
import { unflushed } from './sqlite/unflushed.ts';

export type ClaimedJob = {
  id: number;
  kind: string;
  workspaceId: WorkspaceId;
  payload: unknown;
  /** This attempt's number, from 1. */
  attempt: number;
  isUrgent: boolean;
  fence: number;
  /** When it was to be tried again; undefined for one that has not been postponed. */
  postponedTo?: Date | undefined;
};

/** Which jobs may be taken; any unless given. */
type Claimable = {
  isUrgent: boolean;
  /** Workspaces whose jobs are left where they are. */
  notOf: readonly WorkspaceId[];
};

export type JobStore = {
  /** @returns false where a job of this identity is known already */
  add(job: NewJob, now: Date): Promise<boolean>;
  /** Calls whenever this process has added jobs, once they are committed. */
  onAdded(listener: (jobs: readonly AddedJob[]) => void): void;
  /** Takes the job that has waited longest; an urgent one first, where either may be taken. */
  claim(now: Date, which?: Claimable): Promise<ClaimedJob | undefined>;
  /** Each of these changes nothing where the job was claimed by somebody else since. */
  finish(job: ClaimedJob, state: 'done' | 'failed', now: Date): Promise<void>;
  /** @param options.counts false where nothing failed, and the attempt is not to be counted */
  postpone(job: ClaimedJob, runAt: Date, now: Date, options?: { counts: boolean }): Promise<void>;
  /**
   * Lets jobs run now that were scheduled by a clock that has been set back since: by this one they would
   * wait that much longer. A job that runs early finds out what it has to wait for, and is postponed.
   *
   * @returns how many
   */
  runScheduledAhead(now: Date): Promise<number>;
  /** When the next job may be claimed, or undefined where none waits. */
  nextRunAt(which?: Claimable): Promise<Date | undefined>;
  /** Forgets finished jobs, and with them the identities of the events that they stood for. */
  prune(finishedBefore: Date, now: Date): Promise<number>;
  /**
   * Whether somebody still works on a job under this claim. Where its process has died, it does until
   * the job is given back.
   */
  isHeld(claim: string): Promise<boolean>;
  /** Whether a job of this identity waits or runs. */
  isUnfinished(identity: string): Promise<boolean>;
  /**
   * Gives back what processes that no longer run had claimed, and counts that they ended meanwhile. From
   * the second time in a row on, such jobs run one after the other, so that the one which ends the
   * process is alone with that.
   *
   * @returns those that have used up their chances, claimed by this process, for the caller to give up
   */
  releaseAbandoned(now: Date, chances: number): Promise<ClaimedJob[]>;
};

/** Names one claim of one job: what was done under it, and whether it still holds, can be told later. */
export const claimOf = ({ id, fence }: Pick<ClaimedJob, 'id' | 'fence'>): string =>
  `${id}/${fence}`;

/** The job that somebody works on under this claim, if the claim still holds. */
export function jobHeldUnder(claim: string) {
  const [id = 0, fence = 0] = claim.split('/').map(Number);
  return expressionBuilder<Schema>()
    .selectFrom('jobs')
    .select('jobs.id')
    .where('jobs.id', '=', id)
    .where('jobs.fence', '=', fence)
    .where('jobs.state', '=', 'running');
}

/** Between jobs that were under way at several ends of the process, in ms: far longer than most take. */
const SUSPECTS_APART_MS = 2_000;

/**
 * @param options.notifications where others of this process that add jobs report them
 * @param options.processId names this process among those that share the database
 */
export function createJobStore(
  db: Database,
  { notifications = createJobNotifications(), processId = '' } = {},
): JobStore {
  const isShared = engineOf(db) === 'postgres';
  const insertTogether = commitTogether(createNewJobInsert(db));
  // A claim or an end that a power failure takes back lets the job run again, which jobs bear.
  const repeatable = unflushed(db);
  const held = (job: ClaimedJob, writer = db) =>
    writer.updateTable('jobs').where('id', '=', job.id).where('fence', '=', job.fence);

  /** Claims what nobody who lives holds, as one that has ended the process once more. */
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
          // SQLite takes one process at a time: whoever had claimed something there is gone.
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
      // Made into text before it waits with others: what can't be written harms nobody else.
      const isNew = await insertTogether(jobRow(job, now));
      if (isNew) notifications.added([toAdded(job, now)]);
      return isNew;
    },

    onAdded: notifications.listen,

    async claim(now, which) {
      const row = await repeatable
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
            // What another replica is taking at this moment is passed over, not waited for.
            .$if(isShared, (query) => query.forUpdate().skipLocked()),
        )
        .where('state', '=', sql.lit('ready'))
        .returningAll()
        .executeTakeFirst();
      return row && toClaimed(row);
    },

    async finish(job, state, now) {
      await held(job, repeatable).set({ state, finished_at: now.getTime() }).execute();
    },

    async postpone(job, runAt, now, { counts } = { counts: true }) {
      const attempts = counts ? job.attempt : job.attempt - 1;
      const times = { run_at: runAt.getTime(), scheduled_at: now.getTime() };
      await held(job)
        .set({ state: 'ready', ...times, attempts, crashes: 0 })
        .execute();
    },

    runScheduledAhead: (now) =>
      updateInBatches(db, 'jobs', {
        values: sql`run_at = ${now.getTime()}, scheduled_at = ${now.getTime()}`,
        // In the order of the index of jobs that wait, which says all of this.
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

    async isUnfinished(identity) {
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
      return abandoned.filter(({ crashes }) => crashes >= chances).map(toClaimed);
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
