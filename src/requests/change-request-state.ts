import type { NewJob } from '../store/jobs.ts';
import type { RequestChange, RequestStore } from '../store/requests.ts';
import type { Transact } from '../store/stores.ts';
import { watchCreated } from '../watching/begin-watching.ts';
import type { DesignRequest, RequestState } from './request.ts';

export type ChangeContext = { requests: RequestStore; transact: Transact; now: () => Date };

type StateChange = {
  from: readonly RequestState[];
  to: RequestState;
  change?: RequestChange;
  nextJob: (changed: DesignRequest) => NewJob;
};

/**
 * In one commit with the job that follows. A card that was created is watched from then on.
 *
 * @returns undefined if the request was in another state: of two attempts, one succeeds
 * @throws the database's error; nothing is changed then
 */
export function changeRequestState(
  ctx: Pick<ChangeContext, 'transact' | 'now'>,
  request: Parameters<RequestStore['changeState']>[0],
  { from, to, change = {}, nextJob }: StateChange,
): Promise<DesignRequest | undefined> {
  const now = ctx.now();
  return ctx.transact(async ({ requests, watches, jobs }) => {
    const changed = await requests.changeState(request, from, to, change, now);
    if (!changed) return undefined;
    const watching = to === 'created' ? await watchCreated(watches, changed, now) : undefined;
    await jobs.add(nextJob(changed), now);
    if (watching) await jobs.add(watching, now);
    return changed;
  });
}
