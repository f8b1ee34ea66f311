import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ClaimedJob, JobStore } from '../store/jobs.ts';
import { runClaimed } from './held-claim.ts';
import { createJobAttempts, type JobAttemptsDeps } from './job-attempts.ts';
import type { Lease } from './lease.ts';

/** A job that was running at this many crashes in a row is given up. */
const MAX_CRASHES = 8;
/** How many jobs are started before other work, such as deliveries from Slack, gets its turn. */
const STARTED_AT_ONCE = 8;
/** How often the table is read if nothing that this process knows of is due before, in ms. */
const LOOK_EVERY_MS = 1_000;

/**
 * Runs stored jobs, each kind with its handler. Which ones run is decided by the statement that claims them
 * (`src/store/jobs.ts`).
 *
 * After a crash a handler is called again for the same job, so it must tolerate repetition.
 */
export function createJobRunner(
  deps: JobAttemptsDeps & {
    jobs: JobStore;
    /** Only if replicas share the table. Otherwise any job marked as running is left from a crash. */
    lease?: Lease | undefined;
  },
) {
  const { jobs, now, log, lease } = deps;
  const runningJobs = new Set<Promise<void>>();
  const stopping = new AbortController();
  const attempts = createJobAttempts({ ...deps, signal: stopping.signal, onPostponed: wakeAt });
  const heldFromNow = () => lease?.heldFromNow() ?? (() => true);
  let running = false;
  let stopped: Promise<void> | undefined;
  let claiming: Promise<void> | undefined;
  let claimAgain = false;
  let timer: NodeJS.Timeout | undefined;

  async function claimJobs(): Promise<void> {
    while (running && claimAgain) {
      claimAgain = false;
      // From before the statement: this process may be frozen until the others have taken what it claimed.
      const isHeld = heldFromNow();
      if (!isHeld()) break;
      const claimed = await jobs.claim(now(), STARTED_AT_ONCE);
      for (const job of claimed) run(job, isHeld, attempts.run);
      claimAgain ||= claimed.length > 0;
      await nextTurn();
    }
  }

  function run(
    job: ClaimedJob,
    isHeld: () => boolean,
    handle: (job: ClaimedJob) => Promise<void>,
  ): void {
    const work: Promise<void> = runClaimed(isHeld, () => handle(job))
      .catch((error) => log.error({ job: job.id, err: error }, 'could not finish a job'))
      .finally(() => {
        runningJobs.delete(work);
        wake();
      });
    runningJobs.add(work);
  }

  function wake(): void {
    claimAgain = true;
    if (!running || claiming !== undefined) return;
    claiming = claimJobs()
      .catch((error) => log.error({ err: error }, 'could not read the job table, will retry'))
      .finally(() => {
        claiming = undefined;
        if (claimAgain) wake();
      });
  }

  /** Jobs that are due later are found when the table is read again. */
  function wakeAt(runAt: Date): void {
    const ms = runAt.getTime() - now().getTime();
    if (ms <= 0) wake();
    else if (ms < LOOK_EVERY_MS) setTimeout(wake, ms).unref();
  }

  /** Runs the jobs of crashed processes again, except jobs that crashed them too often. */
  async function reclaimAbandoned(): Promise<void> {
    const isHeld = heldFromNow();
    const exhausted = await jobs.releaseAbandoned(now(), MAX_CRASHES);
    // If this process is stopping, another one gives up on them.
    if (!running) return;
    for (const job of exhausted) {
      log.error({ job: job.id, kind: job.kind }, 'job given up: it crashed the process');
      run(job, isHeld, attempts.giveUp);
    }
  }

  async function end(): Promise<void> {
    running = false;
    stopping.abort();
    clearInterval(timer);
    await claiming;
    while (runningJobs.size > 0) await Promise.all(runningJobs);
    await lease?.end();
  }

  return {
    /** Continues with jobs from before a crash, and runs until stopped. Can be repeated if it failed. */
    async start(): Promise<void> {
      running = true;
      if (lease) await lease.start(reclaimAbandoned);
      else await reclaimAbandoned();
      jobs.onAdded((runAt) => runAt.forEach(wakeAt));
      timer = setInterval(wake, LOOK_EVERY_MS);
      wake();
    },

    /** Starts no more jobs, and resolves when the running ones have ended. */
    stop(): Promise<void> {
      stopped ??= end();
      return stopped;
    },
  };
}
