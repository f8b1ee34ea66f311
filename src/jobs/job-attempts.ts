import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../ops/logging.ts';
import type { ClaimedJob, JobStore } from '../store/jobs.ts';
import { RetryLaterError } from './retry-later.ts';

/** What a job's handler decides: it is done, or it runs again at a moment. */
export type JobOutcome = 'done' | { retryAt: Date };

export type JobHandler = (job: ClaimedJob) => Promise<JobOutcome>;

/** The result of one attempt; only failures count towards giving up. */
type Attempted = 'done' | 'failed' | { retryAt: Date; counts: boolean };

/** A handler that throws is retried this often, later each time: for two hours, then it is given up. */
const MOST_ATTEMPTS = 32;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 5 * 60_000;
/** Between attempts to store an outcome while the database can't be written, in ms. */
const STORE_AGAIN_MS = 1_000;

export type JobAttemptsDeps = {
  jobs: Pick<JobStore, 'finish' | 'postpone'>;
  handlers: Record<string, JobHandler>;
  /** What to do for a job that is given up, by kind. It must tolerate repetition. */
  whenGivenUp?: Record<string, (job: ClaimedJob) => Promise<void>>;
  /** When a job that failed with this error is worth another attempt; undefined for the usual schedule. */
  retryAfter?: (error: unknown, now: Date) => Date | 'never' | undefined;
  now: () => Date;
  log: Log;
};

/**
 * Runs claimed jobs by their handlers and stores what came of them.
 *
 * @param deps.signal aborted when the process stops: an outcome that can't be stored is then left to the
 *   next start, which runs the job again
 * @param deps.onPostponed called when a job was stored to run again
 */
export function createJobAttempts(
  deps: JobAttemptsDeps & {
    signal: AbortSignal;
    onPostponed: (job: ClaimedJob, runAt: Date) => void;
  },
) {
  const { jobs, handlers, whenGivenUp = {}, retryAfter, now, log, signal, onPostponed } = deps;

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
    const retryAt = retryAfter?.(error, now());
    if (retryAt instanceof Date) return { retryAt, counts: false };
    const about = { job: job.id, kind: job.kind, attempt: job.attempt, err: error };
    if (retryAt === 'never' || job.attempt >= MOST_ATTEMPTS) {
      log.error(about, 'job given up');
      return 'failed';
    }
    log.warn(about, 'job failed, tried again later');
    return { retryAt: new Date(now().getTime() + backoffMs(job.attempt)), counts: true };
  }

  /** A job whose outcome isn't stored stays claimed, and would not run again before the next start. */
  async function untilStored(job: ClaimedJob, store: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await store();
      } catch (error) {
        if (signal.aborted) throw error;
        log.warn(
          { job: job.id, err: error },
          'the outcome of a job could not be kept, tried again',
        );
        await sleep(STORE_AGAIN_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  /** Ends a job as failed. */
  function giveUp(job: ClaimedJob): Promise<void> {
    return untilStored(job, async () => {
      await whenGivenUp[job.kind]?.(job);
      await jobs.finish(job, 'failed', now());
    });
  }

  return {
    giveUp,
    async run(job: ClaimedJob): Promise<void> {
      const outcome = await attempt(job);
      if (outcome === 'failed') return giveUp(job);
      if (outcome === 'done') return untilStored(job, () => jobs.finish(job, 'done', now()));
      await untilStored(job, () => jobs.postpone(job, outcome.retryAt, now(), outcome));
      onPostponed(job, outcome.retryAt);
    },
  };
}

/** Doubles from the first wait to the longest, with random jitter of half of it, so that retries spread. */
function backoffMs(attempt: number): number {
  const ceiling = Math.min(FIRST_RETRY_MS * 2 ** (attempt - 1), LONGEST_RETRY_MS);
  return ceiling / 2 + Math.random() * (ceiling / 2);
}
