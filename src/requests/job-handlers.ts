import { RetryLaterError } from '../jobs/retry-later.ts';
import type { JobHandler } from '../jobs/runner.ts';
import { type ClaimedJob, claimOf } from '../store/jobs.ts';
import type { WatchStore } from '../store/watches.ts';
import { type Announcer, announceRequest } from './announce-request.ts';
import { type GiveUpContext, giveUpRequestJob } from './give-up-request.ts';
import { REQUEST_JOBS, requestJobInput } from './jobs.ts';
import { type ReconcileContext, reconcileRequest } from './reconcile-request.ts';
import { type InFlight, type SendContext, sendRequest } from './send-request.ts';

/** Pause before a failed job runs again, in ms. */
const RETRY_MS = 5_000;

export function requestJobHandlers(
  deps: Omit<SendContext, 'inFlight'> &
    ReconcileContext & { announcer: Announcer; watches: Pick<WatchStore, 'moveWatcher'> },
): Record<string, JobHandler> {
  const ctx = { ...deps, inFlight: new Map<string, InFlight>() };
  /** A request must not fail because of an error of ours, so these jobs are retried until they succeed. */
  function retried(handle: JobHandler): JobHandler {
    return async (job) => {
      try {
        return await handle(job);
      } catch (error) {
        if (error instanceof RetryLaterError) throw error;
        const about = { job: job.id, kind: job.kind, err: error };
        deps.log.warn(about, 'a job of a request failed and will be retried');
        return { retryAt: new Date(deps.now().getTime() + RETRY_MS) };
      }
    };
  }

  return {
    [REQUEST_JOBS.send]: retried((job) => sendRequest(ctx, inputOf(job))),
    [REQUEST_JOBS.reconcile]: retried((job) => reconcileRequest(ctx, inputOf(job))),
    [REQUEST_JOBS.announce]: retried((job) => announceRequest(ctx, inputOf(job))),
    [REQUEST_JOBS.tellPlainly]: retried((job) => announceRequest(ctx, inputOf(job), 'tellPlainly')),
  };
}

/** What to do, by kind, when a job of a request was given up. */
export function givenUpRequestJobs(
  ctx: GiveUpContext,
): Record<string, (job: ClaimedJob) => Promise<void>> {
  const giveUp = (job: ClaimedJob) => giveUpRequestJob(ctx, job);
  return Object.fromEntries(Object.values(REQUEST_JOBS).map((kind) => [kind, giveUp]));
}

const inputOf = (job: ClaimedJob) => ({
  workspaceId: job.workspaceId,
  claim: claimOf(job),
  ...requestJobInput(job),
  // Otherwise it was postponed, or was to run later from the beginning.
  isFirst: job.runAt <= job.createdAt,
});
