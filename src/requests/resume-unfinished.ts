import type { EffectiveKeys } from '../installations/effective-keys.ts';
import type { WorkspaceId } from '../installations/workspace-id.ts';
import type { JobQueue } from '../jobs/queue.ts';
import type { JobStore } from '../store/jobs.ts';
import type { RequestStore } from '../store/requests.ts';
import type { Transact } from '../store/transact.ts';
import { announceJob, deliverJob, reconcileJob } from './jobs.ts';
import type { DesignRequest } from './request.ts';
import { queueAgain, resumeWaiting } from './resume-waiting.ts';

/**
 * Makes the jobs that are missing: of requests that became doubtful when a backup was restored, and of
 * those that a key would let go out which was connected as a process ended, or can be read by now. Jobs
 * that exist are not doubled.
 */
export async function resumeUnfinished(ctx: {
  requests: RequestStore;
  keys: EffectiveKeys;
  jobs: JobQueue;
  transact: Transact;
  jobTable: Pick<JobStore, 'isUnfinished'>;
  now: () => Date;
}): Promise<void> {
  const waitingIn = new Set<WorkspaceId>();
  for await (const request of ctx.requests.unfinished('waiting_for_key')) {
    waitingIn.add(request.workspaceId);
    // Perhaps the keyring is the right one now; else it waits again.
    if (request.problem?.code === 'key_unreadable') await queueAgain(ctx, request);
  }
  for (const workspaceId of waitingIn) await resumeWaiting(ctx, workspaceId);
  for (const state of ['queued', 'sending'] as const) {
    for await (const request of ctx.requests.unfinished(state)) {
      await ctx.jobs.add(deliverJob(request));
    }
  }
  for await (const request of ctx.requests.unannounced()) {
    if (!(await isLookedFor(ctx, request))) await ctx.jobs.add(announceJob(request));
  }
}

/** One that was looked for already is not looked for again, and one that is being looked for is not told of yet. */
async function isLookedFor(
  ctx: { jobs: JobQueue; jobTable: Pick<JobStore, 'isUnfinished'> },
  request: DesignRequest,
): Promise<boolean> {
  if (request.state !== 'in_doubt') return false;
  const job = reconcileJob(request);
  return (await ctx.jobs.add(job)) || ctx.jobTable.isUnfinished(job.identity);
}
