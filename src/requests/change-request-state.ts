import type { NewJob } from '../store/insert-jobs.ts';
import type { RequestChange } from '../store/request-rows.ts';
import type { RequestStore } from '../store/requests.ts';
import type { Transact } from '../store/transact.ts';
import type { DesignRequest, RequestState } from './request.ts';

export type Step = {
  from: readonly RequestState[];
  to: RequestState;
  change?: RequestChange;
  /** The job that follows: whoever waits for the change is never left without it. */
  nextJob: (moved: DesignRequest) => NewJob;
};

/**
 * Moves a request on, in one commit with the job that follows from it.
 *
 * @param request with `whileSentBy` only while it is that claim which sends it
 * @returns the request as it is now, or undefined where it was in another state: of two who try, one
 *   succeeds
 * @throws the database's error, with nothing changed
 */
export function changeRequestState(
  ctx: { transact: Transact; now: () => Date },
  request: Parameters<RequestStore['changeState']>[0],
  { from, to, change = {}, nextJob }: Step,
): Promise<DesignRequest | undefined> {
  const now = ctx.now();
  return ctx.transact(async ({ requests, jobs }) => {
    const moved = await requests.changeState(request, from, to, change, now);
    if (moved) await jobs.add(nextJob(moved), now);
    return moved;
  });
}
