import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../ops/logging.ts';
import type { ClaimedJob, JobStore } from '../store/jobs.ts';
import { RetryLaterError } from './retry-later.ts';

/** What a handler returns: the job is done, or runs again later. */
export type JobOutcome = 'done' | { retryAt: Date };

export type JobHandler = (job: ClaimedJob) => Promise<JobOutcome>;

/** @property counts whether it counts as a failed attempt */
type AttemptResult = 'done' | 'failed' | { retryAt: Date; counts: boolean };

/** How an attempt ended, for the metrics: `retried` after an error, `postponed` because it wasn't time yet. */
export const ATTEMPT_ENDS = ['done', 'postponed', 'retried', 'failed'] as const;
export type AttemptEnd = (typeof ATTEMPT_ENDS)[number];

/** A job whose handler throws is retried with growing pauses, for about two hours in all. */
const MAX_ATTEMPTS = 32;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 5 * 60_000;
/** Pause between attempts to store a job's outcome, in ms. */
const STORE_RETRY_MS = 1_000;

export type JobAttemptsDeps = {
  jobs: Pick<JobStore, 'finish' | 'postpone'>;
  handlers: Record<string, JobHandler>;
  /** What to do, by kind, when a job is given up. It must tolerate repetition. */
  whenGivenUp?: Record<string, (job: ClaimedJob) => Promise<void>>;
  /** When to retry after this error; undefined for the usual schedule. */
  retryAfter?: (error: unknown, now: Date) => Date | 'never' | undefined;
  observer?: {
    /** The kinds of jobs that have a handler. */
    kinds(kinds: readonly string[]): void;
    attempted(kind: string, end: AttemptEnd): void;
  };
  now: () => Date;
  log: Log;
};

/**
 * Runs claimed jobs and stores their outcomes.
 *
 * @param deps.signal aborted when the process stops; a job whose outcome isn't stored by then runs again at
 *   the next start
 * @param deps.onPostponed called once it is stored that a job runs again later
 */
export function createJobAttempts(
  deps: JobAttemptsDeps & {
    signal: AbortSignal;
    onPostponed: (runAt: Date) => void;
  },
) {
  const { jobs, handlers, whenGivenUp = {}, retryAfter, observer, now, log } = deps;
  const { signal, onPostponed } = deps;
  observer?.kinds(Object.keys(handlers));

  async function attempt(job: ClaimedJob): Promise<AttemptResult> {
    if (job.payload === undefined) {
      log.error({ job: job.id, kind: job.kind }, 'job given up: it can’t be read');
      return 'failed';
    }
    try {
      const handler = handlers[job.kind];
      // During an update, a replica of the newer version has stored it, and can run it.
      if (!handler) throw new Error('no handler for this kind of job');
      const outcome = await handler(job);
      return outcome === 'done' ? 'done' : { retryAt: outcome.retryAt, counts: false };
    } catch (error) {
      return afterFailure(job, error);
    }
  }

  function afterFailure(job: ClaimedJob, error: unknown): AttemptResult {
    if (error instanceof RetryLaterError) return { retryAt: error.retryAt, counts: false };
    const retryAt = retryAfter?.(error, now());
    if (retryAt instanceof Date) return { retryAt, counts: false };
    const about = { job: job.id, kind: job.kind, attempt: job.attempts };
    log.warn({ ...about, err: error }, 'job failed');
    if (retryAt === 'never' || job.attempts >= MAX_ATTEMPTS) {
      log.error(about, 'job given up');
      return 'failed';
    }
    return { retryAt: new Date(now().getTime() + backoffMs(job.attempts)), counts: true };
  }

  /** Retries, because a job without a stored outcome stays claimed until the next start. */
  async function untilStored(job: ClaimedJob, store: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await store();
      } catch (error) {
        if (signal.aborted) throw error;
        log.warn({ job: job.id, err: error }, 'could not store the outcome of a job, will retry');
        await sleep(STORE_RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  function giveUp(job: ClaimedJob): Promise<void> {
    observer?.attempted(job.kind, 'failed');
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
      observer?.attempted(job.kind, endOf(outcome));
      if (outcome === 'done') return untilStored(job, () => jobs.finish(job, 'done', now()));
      await untilStored(job, () => jobs.postpone(job, outcome.retryAt, outcome));
      onPostponed(outcome.retryAt);
    },
  };
}

function endOf(outcome: Exclude<AttemptResult, 'failed'>): AttemptEnd {
  if (outcome === 'done') return 'done';
  return outcome.counts ? 'retried' : 'postponed';
}

/** Exponential backoff with up to 50 % jitter. */
function backoffMs(attempt: number): number {
  const ceiling = Math.min(FIRST_RETRY_MS * 2 ** (attempt - 1), LONGEST_RETRY_MS);
  return ceiling / 2 + Math.random() * (ceiling / 2);
}
