import { CLOCKS_DIFFER_MS } from '../clock.ts';
import type { WorkspaceId } from '../installations/workspace-id.ts';
import type { JobQueue } from '../jobs/queue.ts';
import type { EffectiveKeys } from '../service/service-access.ts';
import type { ApiKeyRecord } from '../store/api-keys.ts';
import type { JobStore } from '../store/jobs.ts';
import { type ChangeContext, changeRequestState } from './change-request-state.ts';
import { announceJob, isSearchedFor, reconcileJob, sendJob } from './jobs.ts';
import type { DesignRequest } from './request.ts';

type ResumeContext = ChangeContext & { keys: EffectiveKeys };

/**
 * Adds jobs that are missing, as after a restored backup: sends what is queued, checks what was being
 * sent, searches for what is in doubt, and tells authors what they weren't told. Resumes requests
 * whose key was connected while the process ended, or can be decrypted again.
 */
export async function resumeRequests(
  ctx: ResumeContext & { jobs: JobQueue; jobTable: Pick<JobStore, 'isPending'> },
): Promise<void> {
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
    const search = isSearchedFor(request) ? reconcileJob(request) : undefined;
    const isSearching =
      search && ((await ctx.jobs.add(search)) || (await ctx.jobTable.isPending(search.identity)));
    if (!isSearching) await ctx.jobs.add(announceJob(request));
  }
}

/** If another key than the refused one is connected. @returns the requests that were queued */
export async function resumeWaiting(ctx: ResumeContext, workspaceId: WorkspaceId) {
  const key = await ctx.keys.describe(workspaceId);
  const resumed: DesignRequest[] = [];
  for await (const request of ctx.requests.waitingForKey(workspaceId)) {
    if (!canBeSent(request, key, ctx.now())) continue;
    const queued = await requeue(ctx, request);
    if (queued) resumed.push(request);
  }
  return resumed;
}

const requeue = (ctx: ChangeContext, request: DesignRequest) =>
  changeRequestState(ctx, request, { from: ['waiting_for_key'], to: 'queued', nextJob: sendJob });

/**
 * The same key, connected again, counts as another: its permissions may have changed. If the clock
 * was set back since the request was refused, nobody can tell, so the request is sent.
 */
function canBeSent(
  { problem, updatedAt }: DesignRequest,
  key: ApiKeyRecord | undefined,
  now: Date,
): boolean {
  if (key?.state !== 'active') return false;
  const isAnother = key.fingerprint !== problem?.keyFingerprint || key.changedAt > updatedAt;
  return isAnother || updatedAt.getTime() > now.getTime() + CLOCKS_DIFFER_MS;
}
