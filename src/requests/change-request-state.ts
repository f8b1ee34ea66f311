import type { NewJob } from '../store/jobs.ts';
import type { RequestChange, RequestStore } from '../store/requests.ts';
import type { Transact } from '../store/stores.ts';
import { watchCreated } from '../watching/begin-watching.ts';
import type { DesignRequest, RequestState } from './request.ts';

/** What every change of a request needs. */
export type ChangeContext = { requests: RequestStore; transact: Transact; now: () => Date };

type StateChange = {
  from: readonly RequestState[];
  to: RequestState;
  change?: RequestChange;
  /** The job that the change makes necessary. */
  nextJob: (changed: DesignRequest) => NewJob;
};

/**
 * Changes a request's state and adds the job that follows, in one commit. A card that was created is watched from
 * then on.
 *
 * @param request with `whileSentBy`, only if that claim is the one that sends it
 * @returns the changed request, or undefined if it was in another state: of two attempts, one succeeds
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
