import { CLOCKS_DIFFER_MS } from '../clock.ts';
import type { EffectiveKeys } from '../installations/effective-keys.ts';
import type { WorkspaceId } from '../installations/workspace-id.ts';
import type { ApiKeyRecord } from '../store/api-keys.ts';
import type { RequestStore } from '../store/requests.ts';
import type { Transact } from '../store/transact.ts';
import { changeRequestState } from './change-request-state.ts';
import { deliverJob } from './jobs.ts';
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
  let resumed = 0;
  for await (const request of ctx.requests.waitingForKey(workspaceId)) {
    if (!mayGoOut(request, key, ctx.now())) continue;
    if (await queueAgain(ctx, request)) resumed += 1;
  }
  return resumed;
}

/** @returns undefined where it does not wait for a key any more */
export function queueAgain(
  ctx: { transact: Transact; now: () => Date },
  request: DesignRequest,
): Promise<DesignRequest | undefined> {
  return changeRequestState(ctx, request, {
    from: ['waiting_for_key'],
    to: 'queued',
    nextJob: deliverJob,
  });
}

/**
 * The same key connected again counts as another: its rights may have changed. Where the clock was set back
 * since the request was refused, nobody can tell, so it is tried.
 */
function mayGoOut(
  { problem, updatedAt }: DesignRequest,
  key: ApiKeyRecord | undefined,
  now: Date,
): boolean {
  if (key?.state !== 'active') return false;
  const isAnother = key.fingerprint !== problem?.keyFingerprint || key.changedAt > updatedAt;
  return isAnother || updatedAt.getTime() > now.getTime() + CLOCKS_DIFFER_MS;
}
