import type { JobHandler } from '../jobs/runner.ts';
import type { ClaimedJob } from '../store/jobs.ts';
import { type Announcer, announceRequest, redrawRequest } from './announce-request.ts';
import { type DeliverContext, deliverRequest } from './deliver-request.ts';
import { REQUEST_JOBS, requestJobPayload } from './jobs.ts';
import { type ReconcileContext, reconcileRequest } from './reconcile-request.ts';

/** What is done for each kind of job that a request makes. */
export function requestJobHandlers(
  deps: Omit<DeliverContext, 'underWay'> & ReconcileContext & { announcer: Announcer },
): Record<string, JobHandler> {
  const ctx = { ...deps, underWay: new Set<string>() };
  const inputOf = ({ workspaceId, payload }: ClaimedJob) => ({
    workspaceId,
    ...requestJobPayload.parse(payload),
  });
  return {
    [REQUEST_JOBS.deliver]: (job) => deliverRequest(ctx, inputOf(job)),
    [REQUEST_JOBS.reconcile]: (job) => reconcileRequest(ctx, inputOf(job)),
    [REQUEST_JOBS.announce]: (job) => announceRequest(ctx, inputOf(job)),
    [REQUEST_JOBS.redraw]: (job) => redrawRequest(ctx, inputOf(job)),
  };
}
