import { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';
import type { Lease } from '../../src/jobs/lease.ts';
import { createJobQueue } from '../../src/jobs/queue.ts';
import type { JobHandler } from '../../src/jobs/runner.ts';
import { createJobRunner } from '../../src/jobs/runner.ts';
import type { NewJob } from '../../src/store/jobs.ts';
import { type ClaimedJob, createJobStore, type JobStore } from '../../src/store/jobs.ts';
import { T1 } from '../installations/ids.ts';
import { speedUpMonotonicClock } from '../monotonic-clock.ts';
import { temporaryDatabase } from '../store/sqlite-files.ts';
import { at, logTo } from '../store/stores-under-test.ts';

/** A runner over a fresh database, not started. It is stopped when the test ends. */
export async function setUpRunner(
  handlers: Record<string, JobHandler>,
  {
    slowly = () => ({}),
    ...options
  }: {
    /** Overrides the runner's view of the job table. */
    slowly?: (jobs: JobStore) => Partial<JobStore>;
    /** What is done for jobs that are given up, by kind. */
    giveUpHandlers?: Record<string, (job: ClaimedJob) => Promise<void>>;
    /** What an error says about another attempt. */
    retryAfter?: (error: unknown, now: Date) => Date | 'never' | undefined;
    /** Of this process, as if others shared the database. */
    lease?: Lease;
  } = {},
) {
  const { db, path } = await temporaryDatabase();
  const jobs = createJobStore(db);
  const lines: string[] = [];
  const clock = { now: at(0) };
  const table = { ...jobs, ...slowly(jobs) };
  const now = () => clock.now;
  const queue = createJobQueue({ jobs: table, accepts: async () => true, now });
  const runner = createJobRunner({ jobs: table, handlers, now, ...options, log: logTo(lines) });
  onTestFinished(() => runner.stop());
  return {
    runner: { start: runner.start, stop: runner.stop, ...queue },
    jobs,
    db,
    /** Lines of the log, newest last. */
    log: lines,
    /** The runner's clock; it stands still unless moved. */
    clock,
    /** Locks the database for all other writers, which give up sooner than usual. @returns what unlocks it */
    lockDatabase() {
      speedUpMonotonicClock();
      const other = new DatabaseSync(path);
      other.exec('BEGIN IMMEDIATE');
      return () => other.close();
    },
    async states() {
      const rows = await db.selectFrom('jobs').select('state').orderBy('id').execute();
      return rows.map(({ state }) => state);
    },
    /** When jobs run that wait for their time, by ID. */
    async waiting() {
      const rows = await db
        .selectFrom('jobs')
        .select('runAt')
        .where('state', '=', 'ready')
        .where('runAt', '>', at(0))
        .orderBy('id')
        .execute();
      return rows.map(({ runAt }) => runAt);
    },
  };
}

export const job = (kind: string, changes: Partial<NewJob> = {}): NewJob => ({
  kind,
  workspaceId: T1,
  payload: {},
  ...changes,
});
