import type { JobHandler } from '../jobs/job-attempts.ts';
import { RetryLaterError } from '../jobs/retry-later.ts';
import { type ClaimedJob, claimOf } from '../store/jobs.ts';
import { type Announcer, announceRequest, tellRequestPlainly } from './announce-request.ts';
import { type DeliverContext, deliverRequest, type Sending } from './deliver-request.ts';
import { type GiveUpContext, giveUpRequestJob } from './give-up-request.ts';
import { REQUEST_JOBS, requestJobPayload } from './jobs.ts';
import { type ReconcileContext, reconcileRequest } from './reconcile-request.ts';

/** Between tries of what failed on our side, in ms. */
const TRY_AGAIN_MS = 5_000;

/** What is done for each kind of job that a request makes. */
export function requestJobHandlers(
  deps: Omit<DeliverContext, 'underWay'> & ReconcileContext & { announcer: Announcer },
): Record<string, JobHandler> {
  const ctx = { ...deps, underWay: new Map<string, Sending>() };
  /** A request is never given up for trouble of ours: whatever fails is tried until it works. */
  function persistently(handle: JobHandler): JobHandler {
    return async (job) => {
      try {
        return await handle(job);
      } catch (error) {
        if (error instanceof RetryLaterError) throw error;
        deps.log.warn({ job: job.id, kind: job.kind, err: error }, 'tried again soon');
        return { retryAt: new Date(deps.now().getTime() + TRY_AGAIN_MS) };
      }
    };
  }

  return {
    [REQUEST_JOBS.deliver]: persistently((job) => deliverRequest(ctx, inputOf(job))),
    [REQUEST_JOBS.reconcile]: persistently((job) => reconcileRequest(ctx, inputOf(job))),
    [REQUEST_JOBS.announce]: persistently((job) => announceRequest(ctx, inputOf(job))),
    [REQUEST_JOBS.tellPlainly]: persistently((job) => tellRequestPlainly(ctx, inputOf(job))),
  };
}

/** What is done for those that are given up. */
export function givenUpRequestJobs(
  ctx: GiveUpContext,
): Record<string, (job: ClaimedJob) => Promise<void>> {
  const giveUp = (job: ClaimedJob) => giveUpRequestJob(ctx, job.kind, inputOf(job));
  return Object.fromEntries(Object.values(REQUEST_JOBS).map((kind) => [kind, giveUp]));
}

const inputOf = (job: ClaimedJob) => ({
  workspaceId: job.workspaceId,
  claim: claimOf(job),
  ...requestJobPayload.parse(job.payload),
});
