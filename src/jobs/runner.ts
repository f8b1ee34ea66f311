import { watchForSetBack } from '../clock.ts';
import type { ClaimedJob, JobStore } from '../store/jobs.ts';
import type { Backpressure } from './backpressure.ts';
import { createDueJobs } from './due-jobs.ts';
import { createJobAttempts, type JobAttemptsDeps } from './job-attempts.ts';
import type { Lease } from './lease.ts';
import { createSlots } from './slots.ts';

export type JobRunner = {
  /** Resumes what an earlier process left, then works until stopped. */
  start(): Promise<void>;
  /** Takes no new job from now on, and resolves when those that run have ended. */
  stop(): Promise<void>;
};

/** A job that is running each time the process ends is given up at this end. */
const MOST_CRASHES = 8;
/** While jobs that are not urgent wait, at least one in this many that begin is one of them. */
const OTHERS_GET_ONE_IN = 5;
/** The longest time between looks at the table, in ms. */
const LONGEST_SLEEP_MS = 30_000;
/**
 * The same if other replicas add jobs too. A look is two reads of an index, and needs no connection of its
 * own, which LISTEN would.
 */
const LONGEST_SLEEP_SHARED_MS = 1_000;
/** Until the table is asked again that could not be read, in ms. */
const ASK_AGAIN_MS = 1_000;

/**
 * Runs the jobs of the table, each kind by its handler.
 *
 * A handler may be called again for the same job after a crash, so it must tolerate repetition.
 */
export function createJobRunner(
  deps: JobAttemptsDeps & {
    jobs: JobStore;
    backpressure: Backpressure;
    /** Set if replicas share the table; otherwise this process takes over whatever an earlier one left. */
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

  async function claimJobs(): Promise<void> {
    do {
      claimAgain = false;
      if (isClockSetBack()) await runScheduledAhead();
      while (mayClaim()) {
        const job = await claimNext();
        if (!job) break;
        begin(job, attempts.run);
        await backpressure.ready();
      }
    } while (claimAgain);
    if (running) await sleepUntilNext();
  }

  /** Claims an urgent job if there is one, but every so often asks for the others first. */
  async function claimNext(): Promise<ClaimedJob | undefined> {
    const isOthersTurn = urgentInARow >= OTHERS_GET_ONE_IN - 1;
    const job = (await claim(!isOthersTurn)) ?? (await claim(isOthersTurn));
    urgentInARow = job?.isUrgent && !isOthersTurn ? urgentInARow + 1 : 0;
    return job;
  }

  async function claim(isUrgent: boolean): Promise<ClaimedJob | undefined> {
    if (!due.mayHave(isUrgent) || !slots.hasRoom(isUrgent)) return undefined;
    const full = slots.full(isUrgent);
    const table = due.asking(isUrgent);
    for (const notOf of due.isAtMostOne(isUrgent) ? [full] : slots.skippedInTurn(isUrgent)) {
      const job = await jobs.claim(now(), { isUrgent, notOf });
      if (!job) continue;
      due.claimed(isUrgent);
      return job;
    }
    // The jobs of a workspace without a free slot were not looked for.
    if (full.length === 0) table.noneIsDue();
    return undefined;
  }

  function begin(job: ClaimedJob, handle: (job: ClaimedJob) => Promise<void>): void {
    slots.take(job);
    const work: Promise<void> = handle(job)
      .catch((error) => log.error({ job: job.id, err: error }, 'job could not be finished'))
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
    // Something may have woken us while we asked.
    if (!running || claimAgain) return;
    timer = setTimeout(
      () => {
        if (wait === longestSleepMs) due.forget();
        wake();
      },
      Math.max(wait, 1),
    );
  }

  /** When the next job of this urgency can begin, in ms since 1970. */
  async function nextAt(isUrgent: boolean): Promise<number> {
    // The end of a job wakes the runner.
    if (!slots.hasRoom(isUrgent)) return Number.POSITIVE_INFINITY;
    const notOf = slots.full(isUrgent);
    const known = notOf.length === 0 ? due.nextAt(isUrgent) : undefined;
    if (known !== undefined) return known;
    const table = due.asking(isUrgent);
    const at = await jobs.nextRunAt({ isUrgent, notOf });
    if (notOf.length === 0) table.nextIsAt(at);
    return at?.getTime() ?? Number.POSITIVE_INFINITY;
  }

  function wake(): void {
    if (!running) return;
    claimAgain = true;
    if (claiming !== undefined) return;
    clearTimeout(timer);
    claiming = claimJobs()
      .catch((error) => {
        log.error({ err: error }, 'the job table could not be read, tried again later');
        timer = setTimeout(wake, ASK_AGAIN_MS);
      })
      .finally(() => {
        claiming = undefined;
        if (claimAgain) wake();
      });
  }

  /** Lets jobs run again that were running when their process ended, except one that keeps ending it. */
  async function reclaimAbandoned(): Promise<void> {
    const usedUp = await jobs.releaseAbandoned(now(), MOST_CRASHES);
    // A process that stops leaves them to the next one that asks.
    if (!running) return;
    for (const job of usedUp) {
      log.error({ job: job.id, kind: job.kind }, 'the process ended each time a job ran; given up');
      begin(job, attempts.giveUp);
    }
    due.forget();
  }

  async function runScheduledAhead(): Promise<void> {
    await jobs.runScheduledAhead(now());
    due.forget();
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
      jobs.onAdded((added) => {
        for (const job of added) due.scheduled(job);
        wake();
      });
      if (lease) await lease.start(reclaimAbandoned);
      else await reclaimAbandoned();
      // The clock may have been set back while no process ran.
      await runScheduledAhead();
      wake();
    },

    stop() {
      stopped ??= end();
      return stopped;
    },
  };
}
