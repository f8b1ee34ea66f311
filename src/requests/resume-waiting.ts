import { CLOCKS_DIFFER_MS } from '../clock.ts';
import type { EffectiveKeys } from '../installations/effective-keys.ts';
import type { WorkspaceId } from '../installations/workspace-id.ts';
import type { ApiKeyRecord } from '../store/api-keys.ts';
import type { RequestStore } from '../store/requests.ts';
import type { Transact } from '../store/transact.ts';
import { changeRequestState } from './change-request-state.ts';
import { sendJob } from './jobs.ts';
import type { DesignRequest } from './request.ts';

/**
 * Queues the workspace's requests that wait for a key, if there is one that they weren't refused with.
 *
 * @returns those that were queued
 */
export async function resumeWaiting(
  ctx: { requests: RequestStore; keys: EffectiveKeys; transact: Transact; now: () => Date },
  workspaceId: WorkspaceId,
): Promise<DesignRequest[]> {
  const key = await ctx.keys.describe(workspaceId);
  const resumed: DesignRequest[] = [];
  for await (const request of ctx.requests.waitingForKey(workspaceId)) {
    if (!canBeSent(request, key, ctx.now())) continue;
    if (await requeue(ctx, request)) resumed.push(request);
  }
  return resumed;
}

/** @returns undefined if the request doesn't wait for a key any more */
export function requeue(
  ctx: { transact: Transact; now: () => Date },
  request: DesignRequest,
): Promise<DesignRequest | undefined> {
  return changeRequestState(ctx, request, {
    from: ['waiting_for_key'],
    to: 'queued',
    nextJob: sendJob,
  });
}

/**
 * The same key counts as another one if it was connected again, since its permissions may have changed. If the
 * clock was set back since the request was refused, that can't be decided, so the request is sent.
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
