import type { JobQueue } from '../jobs/queue.ts';
import { RetryLaterError } from '../jobs/retry-later.ts';
import type { JobAttemptsDeps, JobHandler, JobOutcome } from '../jobs/runner.ts';
import type { Log } from '../ops/logging.ts';
import { newErrorReference } from '../references.ts';
import { type ClaimedJob, claimOf, type Job, type JobStore } from '../store/jobs.ts';
import type { WatchStore } from '../store/watches.ts';
import { type Announcer, announceRequest } from './announce-request.ts';
import { type ChangeContext, changeRequestState } from './change-request-state.ts';
import {
  announceJob,
  isSearchedFor,
  nextJobOf,
  REQUEST_JOBS,
  requestJobInput,
  tellPlainlyJob,
} from './jobs.ts';
import { type ReconcileContext, reconcileRequest } from './reconcile-request.ts';
import type { DesignRequest } from './request.ts';
import { type InFlight, type SendContext, sendRequest } from './send-request.ts';

const RETRY_MS = 5_000;

export function requestJobHandlers(
  deps: Omit<SendContext, 'inFlight'> &
    ReconcileContext &
    Required<Pick<JobAttemptsDeps, 'retryAfter'>> & {
      announcer: Announcer;
      watches: Pick<WatchStore, 'moveWatcher'>;
    },
): Record<string, JobHandler> {
  const ctx = { ...deps, inFlight: new Map<string, InFlight>() };
  /** Retries forever: a request must not fail because of an error of ours. */
  function retried(
    handle: (given: typeof ctx, input: ReturnType<typeof inputOf>) => Promise<JobOutcome>,
  ): JobHandler {
    return async (job) => {
      try {
        return await handle(ctx, inputOf(job));
      } catch (error) {
        // The runner waits until then.
        const retryAt = deps.retryAfter(error, deps.now());
        if (error instanceof RetryLaterError || retryAt instanceof Date) throw error;
        const about = { job: job.id, kind: job.kind, err: error };
        deps.log.warn(about, 'a job of a request failed and will be retried');
        return { retryAt: new Date(deps.now().getTime() + RETRY_MS) };
      }
    };
  }

  return {
    [REQUEST_JOBS.send]: retried(sendRequest),
    [REQUEST_JOBS.reconcile]: retried(reconcileRequest),
    [REQUEST_JOBS.announce]: retried(announceRequest),
    [REQUEST_JOBS.tellPlainly]: retried((_, input) => announceRequest(ctx, input, 'tellPlainly')),
  };
}

const inputOf = (job: ClaimedJob) => ({
  workspaceId: job.workspaceId,
  claim: claimOf(job),
  ...requestJobInput(job),
  // Otherwise it was postponed, or was to run later from the start.
  isFirst: job.runAt <= job.createdAt,
});

type GiveUpContext = ChangeContext & {
  jobs: JobQueue;
  jobTable: Pick<JobStore, 'isHeld'>;
  log: Log;
};

/** Tells the author in another way than the one that failed. */
export async function giveUpRequestJob(
  ctx: GiveUpContext,
  job: Pick<Job, 'kind' | 'workspaceId' | 'payload' | 'identity'>,
): Promise<void> {
  const { requestId } = requestJobInput(job);
  const request = await ctx.requests.get(job.workspaceId, requestId);
  if (!request) return;
  switch (job.kind) {
    case REQUEST_JOBS.send:
      return giveUpSending(ctx, request);
    case REQUEST_JOBS.reconcile:
      if (isSearchedFor(request)) await ctx.jobs.add(announceJob(request));
      return;
    case REQUEST_JOBS.announce:
      if (request.announcedRevision < request.revision) await ctx.jobs.add(tellPlainlyJob(request));
      return;
  }
}

/** Rejected if queued, so that its author can send it again; in doubt if it may have been sent. */
async function giveUpSending(ctx: GiveUpContext, request: DesignRequest): Promise<void> {
  const reference = newErrorReference();
  ctx.log.error({ ref: reference, request: request.reference }, 'gave up on sending a request');
  const problem = { code: 'given_up', reference } as const;
  const rejected = await changeRequestState(ctx, request, {
    from: ['queued'],
    to: 'rejected',
    change: { problem },
    nextJob: nextJobOf,
  });
  if (rejected || request.state !== 'sending') return;
  // Its author may have sent it again, and another job is sending it.
  if (request.sentBy && (await ctx.jobTable.isHeld(request.sentBy))) return;
  const abandoned = { ...request, whileSentBy: request.sentBy };
  await changeRequestState(ctx, abandoned, {
    from: ['sending'],
    to: 'in_doubt',
    change: { problem: { code: 'outcome_unknown' } },
    nextJob: nextJobOf,
  });
}

export function requestGiveUpHandlers(ctx: GiveUpContext) {
  const giveUp = (job: ClaimedJob) => giveUpRequestJob(ctx, job);
  return Object.fromEntries(Object.values(REQUEST_JOBS).map((kind) => [kind, giveUp]));
}
