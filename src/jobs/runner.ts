import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../ops/logging.ts';
import type { NewJob } from '../store/insert-jobs.ts';
import type { ClaimedJob, JobStore } from '../store/jobs.ts';
import { createArrivals } from './arrivals.ts';
import type { Lease } from './lease.ts';
import { createPlaces } from './places.ts';
import { RetryLaterError } from './retry-later.ts';

/** What a job's handler decides: it is done, or it runs again at a moment. */
export type JobOutcome = 'done' | { retryAt: Date };

export type JobHandler = (job: ClaimedJob) => Promise<JobOutcome>;

/** What became of one attempt; only failures count towards giving up. */
type Attempted = 'done' | 'failed' | { retryAt: Date; counts: boolean };

/** Puts work on disk; it runs at once if its time has come. */
export type JobQueue = {
  /** @returns false where a job of this identity is known already */
  add(job: NewJob): Promise<boolean>;
};

export type JobRunner = JobQueue & {
  /** Resumes what an earlier process left, then works until stopped. */
  start(): Promise<void>;
  /** Takes no new job and resolves when those under way have ended. */
  stop(): Promise<void>;
};

/** A handler that throws is tried again this often, later each time: for two hours, then it is given up. */
const MOST_ATTEMPTS = 32;
/** A job that is under way each time the process ends is given up at this end. */
const MOST_CRASHES = 8;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 5 * 60_000;
/** The longest sleep between looks at the table. */
const LONGEST_SLEEP_MS = 30_000;
/**
 * The same where other replicas add jobs too. A look is two reads of an index, needs no connection of its
 * own and no word from the others, which LISTEN would.
 */
const LONGEST_SLEEP_SHARED_MS = 1_000;

/**
 * Runs the jobs of the table, each kind by its handler.
 *
 * A handler may be called again for the same job after a crash, so it must bear repetition.
 */
export function createJobRunner(deps: {
  jobs: JobStore;
  handlers: Record<string, JobHandler>;
  /** What is done, by kind, for a job that is given up; nothing unless given. It must bear repetition. */
  whenGivenUp?: Record<string, (job: ClaimedJob) => Promise<void>>;
  now: () => Date;
  log: Log;
  /** Where replicas share the table; alone, this process takes up whatever an earlier one left. */
  lease?: Lease | undefined;
}): JobRunner {
  const { jobs, handlers, whenGivenUp = {}, now, log, lease } = deps;
  const longestSleepMs = lease ? LONGEST_SLEEP_SHARED_MS : LONGEST_SLEEP_MS;
  const mayClaim = () => running && (lease?.isValid() ?? true);
  const underWay = new Set<Promise<void>>();
  const stopping = new AbortController();
  const places = createPlaces();
  const arrivals = createArrivals();
  let running = false;
  let filling: Promise<void> | undefined;
  let fillAgain = false;
  let timer: NodeJS.Timeout | undefined;

  async function run(job: ClaimedJob): Promise<void> {
    const outcome = await attempt(job);
    if (outcome === 'failed') return giveUp(job);
    await untilWritten(job, async () => {
      if (outcome === 'done') await jobs.finish(job, 'done', now());
      else await jobs.postpone(job, outcome.retryAt, outcome);
    });
  }

  function giveUp(job: ClaimedJob): Promise<void> {
    return untilWritten(job, async () => {
      await whenGivenUp[job.kind]?.(job);
      await jobs.finish(job, 'failed', now());
    });
  }

  async function attempt(job: ClaimedJob): Promise<Attempted> {
    const handler = handlers[job.kind];
    if (!handler) {
      log.error({ job: job.id, kind: job.kind }, 'no handler for this kind of job');
      return 'failed';
    }
    try {
      const outcome = await handler(job);
      return outcome === 'done' ? 'done' : { retryAt: outcome.retryAt, counts: false };
    } catch (error) {
      return afterFailure(job, error);
    }
  }

  function afterFailure(job: ClaimedJob, error: unknown): Attempted {
    if (error instanceof RetryLaterError) return { retryAt: error.retryAt, counts: false };
    const about = { job: job.id, kind: job.kind, attempt: job.attempt, err: error };
    if (job.attempt >= MOST_ATTEMPTS) {
      log.error(about, 'job given up');
      return 'failed';
    }
    log.warn(about, 'job failed, tried again later');
    return { retryAt: new Date(now().getTime() + backoffMs(job.attempt)), counts: true };
  }

  /** A job whose outcome is not on disk stays claimed, and would not run before the next start. */
  async function untilWritten(job: ClaimedJob, write: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await write();
      } catch (error) {
        if (stopping.signal.aborted) throw error;
        log.warn(
          { job: job.id, err: error },
          'the outcome of a job could not be kept, tried again',
        );
        await sleep(FIRST_RETRY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  }

  async function fill(): Promise<void> {
    do {
      fillAgain = false;
      while (mayClaim()) {
        const job = (await take(true)) ?? (await take(false));
        if (!job) break;
        begin(job, run);
        await arrivals.letIn();
      }
    } while (fillAgain);
    if (running) await sleepUntilNext();
  }

  async function take(isUrgent: boolean): Promise<ClaimedJob | undefined> {
    if (!places.hasRoom(isUrgent)) return undefined;
    for (const notOf of places.passedOver(isUrgent)) {
      const job = await jobs.claim(now(), { isUrgent, notOf });
      if (job) return job;
    }
    return undefined;
  }

  function begin(job: ClaimedJob, handle: (job: ClaimedJob) => Promise<void>): void {
    places.take(job);
    const work: Promise<void> = handle(job)
      .catch((error) => log.error({ job: job.id, err: error }, 'job could not be finished'))
      .finally(() => {
        underWay.delete(work);
        places.free(job);
        wake();
      });
    underWay.add(work);
  }

  async function sleepUntilNext(): Promise<void> {
    // Whoever has no place is woken by the end of a job.
    const kinds = mayClaim() ? [true, false].filter(places.hasRoom) : [];
    const times = await Promise.all(
      kinds.map((isUrgent) => jobs.nextRunAt({ isUrgent, notOf: places.full(isUrgent) })),
    );
    const waits = times.map((next) => (next ? next.getTime() - now().getTime() : longestSleepMs));
    const wait = Math.min(longestSleepMs, ...waits);
    // Something may have woken us while we looked.
    if (!running || fillAgain) return;
    timer = setTimeout(wake, Math.max(wait, 1));
  }

  function wake(): void {
    if (!running) return;
    fillAgain = true;
    if (filling) return;
    clearTimeout(timer);
    filling = fill()
      .catch((error) => {
        log.error({ err: error }, 'the job table could not be read, tried again later');
        timer = setTimeout(wake, FIRST_RETRY_MS);
      })
      .finally(() => {
        filling = undefined;
        if (fillAgain) wake();
      });
  }

  /** Lets jobs run again that were under way when their process ended, unless it was a job that ends it. */
  async function takeBack(): Promise<void> {
    const usedUp = await jobs.releaseAbandoned(now(), MOST_CRASHES);
    // Whoever stops leaves them to the next who looks.
    if (!running) return;
    for (const job of usedUp) {
      log.error({ job: job.id, kind: job.kind }, 'the process ended each time a job ran; given up');
      begin(job, giveUp);
    }
  }

  return {
    add(job) {
      arrivals.count();
      return jobs.add(job, now());
    },

    async start() {
      running = true;
      jobs.onAdded(wake);
      if (lease) await lease.start(takeBack);
      else await takeBack();
      wake();
    },

    async stop() {
      running = false;
      stopping.abort();
      fillAgain = false;
      clearTimeout(timer);
      await filling;
      while (underWay.size > 0) await Promise.all(underWay);
      await lease?.end();
    },
  };
}

/** Doubles from the first wait to the longest, with up to as much again by chance, so that retries spread. */
function backoffMs(attempt: number): number {
  const ceiling = Math.min(FIRST_RETRY_MS * 2 ** (attempt - 1), LONGEST_RETRY_MS);
  return ceiling / 2 + Math.random() * (ceiling / 2);
}
