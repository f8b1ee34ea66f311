import type { ApiKeyRecord } from '../store/api-keys.ts';
import type { RequestStore } from '../store/requests.ts';
import type { Transact } from '../store/transact.ts';
import type { EffectiveKeys } from '../workspaces/effective-keys.ts';
import type { WorkspaceId } from '../workspaces/workspace-id.ts';
import { deliverJob } from './jobs.ts';
import { moveRequest } from './move-request.ts';
import type { DesignRequest } from './request.ts';

/**
 * Queues the requests of the workspace that waited for a key, if there is one that they were not
 * refused with.
 *
 * @returns how many there were
 */
export async function resumeWaiting(
  ctx: { requests: RequestStore; keys: EffectiveKeys; transact: Transact; now: () => Date },
  workspaceId: WorkspaceId,
): Promise<number> {
  const key = await ctx.keys.describe(workspaceId);
  const waiting = await ctx.requests.listByState(workspaceId, 'waiting_for_key');
  let resumed = 0;
  for (const request of waiting.filter((one) => mayGoOut(one, key))) {
    if (await queueAgain(ctx, request)) resumed += 1;
  }
  return resumed;
}

/** @returns undefined where it does not wait for a key any more */
export function queueAgain(
  ctx: { transact: Transact; now: () => Date },
  request: DesignRequest,
): Promise<DesignRequest | undefined> {
  return moveRequest(ctx, request, {
    from: ['waiting_for_key'],
    to: 'queued',
    nextJob: deliverJob,
  });
}

/** The same key connected again counts as another: its rights may have changed. */
function mayGoOut({ problem, updatedAt }: DesignRequest, key: ApiKeyRecord | undefined): boolean {
  if (key?.state !== 'active') return false;
  return key.fingerprint !== problem?.keyFingerprint || key.changedAt > updatedAt;
}
