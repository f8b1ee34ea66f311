import { watchForSetBack } from '../clock.ts';
import type { WorkspaceId } from '../installations/workspace-id.ts';
import type { ClaimedJob, JobStore } from '../store/jobs.ts';
import type { Backpressure } from './backpressure.ts';
import { createDueJobs } from './due-jobs.ts';
import { runClaimed } from './held-claim.ts';
import { createJobAttempts, type JobAttemptsDeps } from './job-attempts.ts';
import type { Lease } from './lease.ts';
import { createSlots } from './slots.ts';

export type JobRunner = {
  /** Continues with jobs from before a crash, and runs until stopped. Can be repeated if it failed. */
  start(): Promise<void>;
  /** Starts no more jobs, and resolves when the running ones have ended. */
  stop(): Promise<void>;
};

/** A job that was running at this many crashes in a row has failed for good. */
const MAX_CRASHES = 8;
/** While jobs that aren't urgent wait, at least every fifth job that starts is one of them. */
const OTHERS_GET_ONE_IN = 5;
/** The longest time between queries of the table, in ms. */
const LONGEST_SLEEP_MS = 30_000;
/**
 * The same if other replicas add jobs too. A query reads two indexes, and unlike LISTEN needs no connection of
 * its own.
 */
const LONGEST_SLEEP_SHARED_MS = 1_000;
/** Pause after the table couldn't be read, in ms. */
const READ_RETRY_MS = 1_000;

/**
 * Runs stored jobs, each kind with its handler.
 *
 * After a crash a handler is called again for the same job, so it must tolerate repetition.
 */
export function createJobRunner(
  deps: JobAttemptsDeps & {
    jobs: JobStore;
    backpressure: Backpressure;
    /** Only if replicas share the table. Otherwise any job marked as running is left from a crash. */
    lease?: Lease | undefined;
  },
): JobRunner {
  const { jobs, backpressure, now, log, lease } = deps;
  const longestSleepMs = lease ? LONGEST_SLEEP_SHARED_MS : LONGEST_SLEEP_MS;
  const mayClaim = () => running && (lease?.isValid() ?? true);
  const runningJobs = new Set<Promise<void>>();
  const stopping = new AbortController();
  const isClockSetBack = watchForSetBack(now);
  const slots = createSlots();
  const due = createDueJobs(now);
  const attempts = createJobAttempts({
    ...deps,
    signal: stopping.signal,
    onPostponed: ({ isUrgent }, runAt) => due.scheduled({ isUrgent, runAt }),
  });
  let running = false;
  let stopped: Promise<void> | undefined;
  let urgentInARow = 0;
  let claiming: Promise<void> | undefined;
  let claimAgain = false;
  let timer: NodeJS.Timeout | undefined;
  /** When the table was last read for jobs of other processes, by `performance.now()`. */
  let checkedAt = performance.now();

  async function claimJobs(): Promise<void> {
    do {
      claimAgain = false;
      if (isClockSetBack()) await runScheduledAhead();
      for (let job = await claimNext(); job; job = await claimNext()) {
        run(job, attempts.run);
        await backpressure.ready();
      }
    } while (claimAgain);
    if (running) await sleepUntilNext();
  }

  /** Urgent jobs first, but every so often the others. */
  async function claimNext(): Promise<ClaimedJob | undefined> {
    const isOthersTurn = urgentInARow >= OTHERS_GET_ONE_IN - 1;
    const job = (await claim(!isOthersTurn)) ?? (await claim(isOthersTurn));
    urgentInARow = job?.isUrgent && !isOthersTurn ? urgentInARow + 1 : 0;
    return job;
  }

  async function claim(isUrgent: boolean): Promise<ClaimedJob | undefined> {
    if (!due.mayHave(isUrgent) || !slots.hasRoom(isUrgent)) return undefined;
    const full = slots.full(isUrgent);
    const query = due.beginQuery(isUrgent);
    const lists = due.isAtMostOne(isUrgent) ? [full] : slots.skipLists(isUrgent);
    const job = await claimSkipping(isUrgent, lists);
    if (job) due.claimed(isUrgent);
    // If a workspace is full, its jobs were skipped, and may be due.
    else if (full.length === 0 && mayClaim()) query.noneIsDue();
    return job;
  }

  async function claimSkipping(
    isUrgent: boolean,
    lists: readonly WorkspaceId[][],
  ): Promise<ClaimedJob | undefined> {
    for (const notOf of lists) {
      // Before each statement: the lease may have run out during the one before.
      if (!mayClaim()) return undefined;
      const job = await jobs.claim(now(), { isUrgent, notOf });
      if (job) return job;
    }
    return undefined;
  }

  function run(job: ClaimedJob, handle: (job: ClaimedJob) => Promise<void>): void {
    slots.take(job);
    const isHeld = lease?.heldFromNow() ?? (() => true);
    const work: Promise<void> = runClaimed(isHeld, () => handle(job))
      .catch((error) => log.error({ job: job.id, err: error }, 'could not finish a job'))
      .finally(() => {
        runningJobs.delete(work);
        slots.free(job);
        wake();
      });
    runningJobs.add(work);
  }

  async function sleepUntilNext(): Promise<void> {
    const times = mayClaim() ? await Promise.all([true, false].map(nextAt)) : [];
    const wait = Math.min(longestSleepMs, ...times.map((at) => at - now().getTime()));
    // Something may have woken the runner during the query.
    if (!running || claimAgain) return;
    timer = setTimeout(
      () => {
        // Also while this process is never idle for that long: `npm run jobs` makes jobs due, too.
        const isLongAgo = performance.now() - checkedAt >= longestSleepMs;
        if (wait === longestSleepMs || isLongAgo) {
          checkedAt = performance.now();
          due.invalidate();
        }
        wake();
      },
      Math.max(wait, 1),
    );
  }

  /** When the next job of this urgency can start, in ms since 1970. */
  async function nextAt(isUrgent: boolean): Promise<number> {
    // The end of a running job wakes the runner.
    if (!slots.hasRoom(isUrgent)) return Number.POSITIVE_INFINITY;
    const notOf = slots.full(isUrgent);
    const known = notOf.length === 0 ? due.nextAt(isUrgent) : undefined;
    if (known !== undefined) return known;
    const query = due.beginQuery(isUrgent);
    const at = await jobs.nextRunAt({ isUrgent, notOf });
    if (notOf.length === 0) query.nextIsAt(at);
    return at?.getTime() ?? Number.POSITIVE_INFINITY;
  }

  function wake(): void {
    if (!running) return;
    claimAgain = true;
    if (claiming !== undefined) return;
    clearTimeout(timer);
    claiming = claimJobs()
      .catch((error) => {
        log.error({ err: error }, 'could not read the job table, will retry');
        timer = setTimeout(wake, READ_RETRY_MS);
      })
      .finally(() => {
        claiming = undefined;
        if (claimAgain) wake();
      });
  }

  /** Runs the jobs of crashed processes again, except jobs that crashed them too often. */
  async function reclaimAbandoned(): Promise<void> {
    const exhausted = await jobs.releaseAbandoned(now(), MAX_CRASHES);
    // If this process is stopping, another one gives up on them.
    if (!running) return;
    for (const job of exhausted) {
      log.error({ job: job.id, kind: job.kind }, 'job failed for good: it crashed the process');
      run(job, attempts.giveUp);
    }
    due.invalidate();
  }

  /** After the clock was set back, runs jobs that would otherwise wait until it has caught up. */
  async function runScheduledAhead(): Promise<void> {
    await jobs.runScheduledAhead(now());
    due.invalidate();
  }

  async function end(): Promise<void> {
    running = false;
    stopping.abort();
    claimAgain = false;
    clearTimeout(timer);
    await claiming;
    while (runningJobs.size > 0) await Promise.all(runningJobs);
    await lease?.end();
  }

  return {
    async start() {
      running = true;
      if (!lease) await reclaimAbandoned();
      // The clock may have been set back while no process ran.
      await runScheduledAhead();
      await lease?.start(reclaimAbandoned);
      jobs.onAdded((added) => {
        for (const job of added) due.scheduled(job);
        wake();
      });
      wake();
    },

    stop() {
      stopped ??= end();
      return stopped;
    },
  };
}
