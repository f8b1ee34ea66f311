import type { WorkspaceId } from '../installations/workspace-id.ts';
import type { RequestStore } from '../store/requests.ts';
import type { Transact } from '../store/transact.ts';
import { changeRequestState } from './change-request-state.ts';
import { announceJob, sendJob } from './jobs.ts';
import type { DesignRequest, RequestState } from './request.ts';

/** What an author decides about a request in doubt. */
export type Decision = 'send_again' | 'found' | 'discard';

const RESULT: Record<Decision, RequestState> = {
  send_again: 'queued',
  found: 'created',
  discard: 'discarded',
};

/** A rejected request isn't in doubt, but can be discarded, too. */
const POSSIBLE_IN: Record<Decision, readonly RequestState[]> = {
  send_again: ['in_doubt'],
  found: ['in_doubt'],
  discard: ['in_doubt', 'rejected'],
};

export type DecisionResult =
  | { done: true; request: DesignRequest }
  /** It was decided before; without a request, the person isn't its author. */
  | { done: false; request: DesignRequest | undefined };

/**
 * Carries out the author's decision, once.
 *
 * @param input.cardId with `found`, the card that the request became
 */
export async function decideInDoubt(
  ctx: { requests: RequestStore; transact: Transact; now: () => Date },
  input: {
    workspaceId: WorkspaceId;
    userId: string;
    requestId: string;
    decision: Decision;
    cardId?: string | undefined;
  },
): Promise<DecisionResult> {
  const { workspaceId, userId, requestId, decision, cardId } = input;
  const request = await ctx.requests.get(workspaceId, requestId);
  if (!request || request.userId !== userId) return { done: false, request: undefined };
  const decided = await changeRequestState(ctx, request, {
    from: POSSIBLE_IN[decision],
    to: RESULT[decision],
    change: { cardId },
    nextJob: decision === 'send_again' ? sendJob : announceJob,
  });
  if (!decided) return { done: false, request: await ctx.requests.get(workspaceId, requestId) };
  return { done: true, request: decided };
}
