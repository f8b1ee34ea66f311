import type { CardReader } from '../service/cache/card-reader.ts';
import { type ChangeContext, changeRequestState } from './change-request-state.ts';
import { announceJob, isSearchedFor, sendJob } from './jobs.ts';
import { recordFound } from './link-card.ts';
import type { DesignRequest } from './request.ts';

/** What an author decides about a request in doubt, apart from naming its card. */
export type Decision = 'send_again' | 'discard';

const DECISIONS = {
  send_again: { from: ['in_doubt'], to: 'queued', nextJob: sendJob },
  // A rejected request isn't in doubt, but can be discarded, too.
  discard: { from: ['in_doubt', 'rejected'], to: 'discarded', nextJob: announceJob },
} as const satisfies Record<Decision, object>;

/** Not done if it was decided before. Without a request, the person isn't its author. */
type DecisionResult = { done: boolean; request: DesignRequest | undefined };

type Deciding = Pick<DesignRequest, 'workspaceId' | 'userId'> & { requestId: string };

export async function decideInDoubt(
  ctx: ChangeContext,
  { workspaceId, userId, requestId, decision }: Deciding & { decision: Decision },
): Promise<DecisionResult> {
  const request = await ctx.requests.get(workspaceId, requestId);
  if (request?.userId !== userId) return { done: false, request: undefined };
  const decided = await changeRequestState(ctx, request, DECISIONS[decision]);
  return decided
    ? { done: true, request: decided }
    : { done: false, request: await ctx.requests.get(workspaceId, requestId) };
}

/**
 * Records the card that a request in doubt or unnamed became, as its author says.
 *
 * @param input.isSure whether the author has confirmed a card without the request's reference
 * @returns `unreadable` if the key can't read the card, `unproven` if it lacks the reference
 * @throws NotConnectedError or DesignApiError if the card can't be read now
 */
export async function confirmFound(
  ctx: ChangeContext & { cards: Pick<CardReader, 'read'> },
  input: Deciding & { cardId: string; isSure: boolean },
): Promise<
  DecisionResult | { unreadable: 'not_found' | 'forbidden' } | { unproven: { title: string } }
> {
  const { workspaceId, userId, requestId, cardId, isSure } = input;
  const request = await ctx.requests.get(workspaceId, requestId);
  if (request?.userId !== userId) return { done: false, request: undefined };
  if (!isSearchedFor(request)) return { done: false, request };
  // Someone may have asked for the card before it existed.
  const reading = await ctx.cards.read(workspaceId, cardId, { class: 'person', since: ctx.now() });
  if ('readError' in reading && reading.readError) throw reading.readError;
  if ('unreadable' in reading) return { unreadable: reading.unreadable };
  const { title, descriptionHtml } = reading.card;
  if (!isSure && !descriptionHtml.includes(request.reference)) return { unproven: { title } };
  const found = await recordFound(ctx, request, cardId);
  const latest = found ?? (await ctx.requests.get(workspaceId, requestId));
  // Reading the card may have linked it already.
  return { done: latest?.cardId === cardId, request: latest };
}
