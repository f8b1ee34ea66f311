import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../ops/logging.ts';
import { type ClaimedJob, type JobStore, PER_WORKSPACE } from '../store/jobs.ts';
import type { Lease } from './lease.ts';
import { RetryLaterError } from './retry-later.ts';

/** A job that was running at this many crashes in a row is given up. */
const MAX_CRASHES = 8;
/** How many jobs are started before other work, such as deliveries from Slack, gets its turn. */
const STARTED_AT_ONCE = 8;
/** The table is read at least this often, for jobs that other processes have added. */
const LOOK_EVERY_MS = 1_000;

/**
 * Runs the jobs that `src/store/jobs.ts` lets it claim, each kind with its handler. After a crash a
 * handler is called again for the same job, so it must tolerate repetition.
 */
export function createJobRunner(
  deps: JobAttemptsDeps & {
    jobs: JobStore;
    /** Only if replicas share the table; otherwise any running job is left from a crash. */
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
  let isClaiming = false;
  let claimAgain = false;
  let timer: NodeJS.Timeout | undefined;
  /**
   * Whether the last claim may have left due jobs because of a limit, of which a workspace's is the lowest. (Jobs that
   * another replica is claiming right now, and then leaves, wait for the next claim.)
   */
  const mayHaveLeft = () => runningJobs.size >= PER_WORKSPACE;

  async function claimJobs(): Promise<void> {
    while (running && claimAgain) {
      claimAgain = false;
      // Before the statement: this process may freeze until others have taken what it claimed.
      const isHeld = heldFromNow();
      if (!isHeld()) break;
      isClaiming = true;
      const claimed = await jobs.claim(now(), STARTED_AT_ONCE).finally(() => {
        isClaiming = false;
      });
      for (const job of claimed) run(job, isHeld, attempts.run);
      claimAgain ||= claimed.length > 0 && mayHaveLeft();
      await nextTurn();
    }
  }

  function run(job: ClaimedJob, isHeld: () => boolean, handle: typeof attempts.run) {
    const work: Promise<void> = runningClaim
      .run(isHeld, handle, job)
      .catch((error) => log.error({ job: job.id, err: error }, 'could not finish a job'))
      .finally(() => {
        // A claim that is under way may still count this job.
        if (isClaiming || mayHaveLeft()) wake();
        runningJobs.delete(work);
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

  function wakeAt(runAt: Date): void {
    const ms = runAt.getTime() - now().getTime();
    if (ms <= 0) wake();
    else if (ms < LOOK_EVERY_MS) setTimeout(wake, ms).unref();
  }

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
    /** Begins with jobs from before a crash. Can be repeated if it failed. */
    async start(): Promise<void> {
      running = true;
      if (lease) await lease.start(reclaimAbandoned);
      else await reclaimAbandoned();
      jobs.onAdded(wakeAt);
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

export type JobOutcome = 'done' | { retryAt: Date };

export type JobHandler = (job: ClaimedJob) => Promise<JobOutcome>;

/** @property counts whether it counts as a failed attempt */
type AttemptResult = 'done' | 'failed' | { retryAt: Date; counts: boolean };

/** For the metrics: `retried` after an error, `postponed` because it wasn't time yet. */
export const ATTEMPT_ENDS = ['done', 'postponed', 'retried', 'failed'] as const;
export type AttemptEnd = (typeof ATTEMPT_ENDS)[number];

/** If the handler throws: about two hours in all, with growing pauses. */
const MAX_ATTEMPTS = 32;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 5 * 60_000;
const STORE_RETRY_MS = 1_000;

export type JobAttemptsDeps = {
  jobs: Pick<JobStore, 'finish' | 'postpone'>;
  handlers: Record<string, JobHandler>;
  /** What to do, by kind, when a job is given up. It must tolerate repetition. */
  giveUpHandlers?: Record<string, (job: ClaimedJob) => Promise<void>>;
  /** When to retry after this error; undefined for the usual schedule. */
  retryAfter?: (error: unknown, now: Date) => Date | 'never' | undefined;
  observer?: {
    kinds(kinds: readonly string[]): void;
    attempted(kind: string, end: AttemptEnd): void;
  };
  now: () => Date;
  log: Log;
};

/**
 * Runs claimed jobs and stores their outcomes. A job whose outcome isn't stored when the process
 * stops (`signal`) runs again at the next start.
 */
export function createJobAttempts(
  deps: JobAttemptsDeps & {
    signal: AbortSignal;
    onPostponed: (runAt: Date) => void;
  },
) {
  const { jobs, handlers, giveUpHandlers = {}, retryAfter, observer, now, log } = deps;
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
      await giveUpHandlers[job.kind]?.(job);
      await jobs.finish(job, 'failed', now());
    });
  }

  return {
    giveUp,
    async run(job: ClaimedJob): Promise<void> {
      const outcome = await attempt(job);
      if (outcome === 'failed') return giveUp(job);
      if (outcome === 'done') {
        observer?.attempted(job.kind, 'done');
        return untilStored(job, () => jobs.finish(job, 'done', now()));
      }
      observer?.attempted(job.kind, outcome.counts ? 'retried' : 'postponed');
      await untilStored(job, () => jobs.postpone(job, outcome.retryAt, outcome));
      onPostponed(outcome.retryAt);
    },
  };
}

/** Exponential backoff with up to 50% jitter. */
function backoffMs(attempt: number): number {
  const ceiling = Math.min(FIRST_RETRY_MS * 2 ** (attempt - 1), LONGEST_RETRY_MS);
  return ceiling / 2 + Math.random() * (ceiling / 2);
}

/** Whether no other process can have taken the job that runs since it was claimed. */
export const runningClaim = new AsyncLocalStorage<() => boolean>();

/**
 * Ask this right before the first byte of a call that may be made only once. False if another
 * process may have taken the calling job while this one was frozen; always true outside of a job.
 */
export const claimHeld = (): (() => boolean) => runningClaim.getStore() ?? (() => true);
