import type { WorkspaceId } from '../installations/workspace-id.ts';
import type { JobQueue } from '../jobs/queue.ts';
import type { Log } from '../ops/logging.ts';
import { newErrorReference } from '../references.ts';
import type { JobStore } from '../store/jobs.ts';
import type { RequestStore } from '../store/requests.ts';
import type { Transact } from '../store/transact.ts';
import { changeRequestState } from './change-request-state.ts';
import { announceJob, REQUEST_JOBS, tellJob, tellPlainlyJob } from './jobs.ts';
import type { DesignRequest } from './request.ts';

export type GiveUpContext = {
  requests: RequestStore;
  jobs: JobQueue;
  transact: Transact;
  /** Which claims of jobs still hold, in any process. */
  jobTable: Pick<JobStore, 'isHeld'>;
  now: () => Date;
  log: Log;
};

/**
 * What is done instead of a job of a request's that ended the process each time it ran: its author
 * hears of it, by another way than the one that failed.
 *
 * @param kind of the job, one of REQUEST_JOBS
 */
export async function giveUpRequestJob(
  ctx: GiveUpContext,
  kind: string,
  { workspaceId, requestId }: { workspaceId: WorkspaceId; requestId: string },
): Promise<void> {
  const request = await ctx.requests.get(workspaceId, requestId);
  if (!request) return;
  switch (kind) {
    case REQUEST_JOBS.deliver:
      return giveUpDelivery(ctx, request);
    case REQUEST_JOBS.reconcile:
      if (request.state === 'in_doubt') await ctx.jobs.add(announceJob(request));
      return;
    case REQUEST_JOBS.announce:
      if (request.announcedRevision < request.revision) await ctx.jobs.add(tellPlainlyJob(request));
      return;
  }
}

/** What was not sent comes back to its author; what may have been sent is in doubt. */
async function giveUpDelivery(ctx: GiveUpContext, request: DesignRequest): Promise<void> {
  const reference = newErrorReference();
  ctx.log.error({ ref: reference, request: request.reference }, 'a request can’t be sent');
  const problem = { code: 'given_up', reference } as const;
  const refused = await changeRequestState(ctx, request, {
    from: ['queued'],
    to: 'rejected',
    change: { problem },
    nextJob: tellJob,
  });
  if (refused || request.state !== 'sending') return;
  // Another job may be sending it: its author had it sent again meanwhile.
  if (request.sentBy && (await ctx.jobTable.isHeld(request.sentBy))) return;
  const left = { ...request, whileSentBy: request.sentBy };
  await changeRequestState(ctx, left, {
    from: ['sending'],
    to: 'in_doubt',
    change: { problem: { code: 'outcome_unknown' } },
    nextJob: tellJob,
  });
}
