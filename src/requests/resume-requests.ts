import type { EffectiveKeys } from '../installations/effective-keys.ts';
import type { WorkspaceId } from '../installations/workspace-id.ts';
import type { JobQueue } from '../jobs/queue.ts';
import type { JobStore } from '../store/jobs.ts';
import type { RequestStore } from '../store/requests.ts';
import type { Transact } from '../store/transact.ts';
import { announceJob, isSearchedFor, reconcileJob, sendJob } from './jobs.ts';
import type { DesignRequest } from './request.ts';
import { requeue, resumeWaiting } from './resume-waiting.ts';

/**
 * Adds jobs that are missing, as after a restored backup: sends what is queued or was being sent, searches for what is
 * in doubt, tells authors what they weren't told, and resumes requests whose key was connected while the process ended or
 * can be decrypted again. Existing jobs aren't duplicated.
 */
export async function resumeRequests(ctx: {
  requests: RequestStore;
  keys: EffectiveKeys;
  jobs: JobQueue;
  transact: Transact;
  jobTable: Pick<JobStore, 'isPending'>;
  now: () => Date;
}): Promise<void> {
  const waitingIn = new Set<WorkspaceId>();
  for await (const request of ctx.requests.unfinished('waiting_for_key')) {
    waitingIn.add(request.workspaceId);
    // The keyring may contain the right key now. If not, the request will wait again.
    const code = request.problem?.code;
    if (code === 'key_unreadable' || code === 'unreadable') await requeue(ctx, request);
  }
  for (const workspaceId of waitingIn) await resumeWaiting(ctx, workspaceId);
  for (const state of ['queued', 'sending'] as const) {
    for await (const request of ctx.requests.unfinished(state)) {
      await ctx.jobs.add(sendJob(request));
    }
  }
  for await (const request of ctx.requests.unannounced()) {
    if (!(await searchUnlessDone(ctx, request))) await ctx.jobs.add(announceJob(request));
  }
}

/** @returns whether the request is being searched for */
async function searchUnlessDone(
  ctx: { jobs: JobQueue; jobTable: Pick<JobStore, 'isPending'> },
  request: DesignRequest,
): Promise<boolean> {
  if (!isSearchedFor(request)) return false;
  const job = reconcileJob(request);
  return (await ctx.jobs.add(job)) || ctx.jobTable.isPending(job.identity);
}
