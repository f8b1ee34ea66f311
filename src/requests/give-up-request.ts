import type { JobQueue } from '../jobs/queue.ts';
import type { Log } from '../ops/logging.ts';
import { newErrorReference } from '../references.ts';
import type { Job, JobStore } from '../store/jobs.ts';
import { type ChangeContext, changeRequestState } from './change-request-state.ts';
import {
  announceJob,
  isSearchedFor,
  nextJobOf,
  REQUEST_JOBS,
  requestJobInput,
  tellPlainlyJob,
} from './jobs.ts';
import type { DesignRequest } from './request.ts';

export type GiveUpContext = ChangeContext & {
  jobs: JobQueue;
  /** Tells whether a claim of a job is still held, by any process. */
  jobTable: Pick<JobStore, 'isHeld'>;
  log: Log;
};

/**
 * Called when a job of a request was given up, usually because it crashed the process each time. Tells the author in
 * another way than the one that failed.
 */
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

/** A queued request is rejected, so that its author can send it again. One that may have been sent is in doubt. */
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
