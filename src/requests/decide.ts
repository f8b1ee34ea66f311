import type { CardReader } from '../service/cache/card-reader.ts';
import { type ChangeContext, changeRequestState } from './change-request-state.ts';
import { announceJob, sendJob } from './jobs.ts';
import { linkCard } from './link-card.ts';
import { type DesignRequest, isUnnamed, type RequestState } from './request.ts';

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

type DecisionResult =
  | { done: true; request: DesignRequest }
  /** It was decided before; without a request, the person isn't its author. */
  | { done: false; request: DesignRequest | undefined };

type Deciding = Pick<DesignRequest, 'workspaceId' | 'userId'> & { requestId: string };

/**
 * Carries out the author's decision, once.
 *
 * @param input.cardId with `found`, the card that the request became
 */
export async function decideInDoubt(
  ctx: ChangeContext,
  input: Deciding & { decision: Decision; cardId?: string | undefined },
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
  return resultOf(ctx, request, decided);
}

const resultOf = async (
  ctx: ChangeContext,
  { workspaceId, id }: DesignRequest,
  decided: DesignRequest | undefined,
): Promise<DecisionResult> =>
  decided
    ? { done: true, request: decided }
    : { done: false, request: await ctx.requests.get(workspaceId, id) };

/**
 * Records the card that a request in doubt or unnamed became, as its author says, if the workspace's key can read it and its
 * description contains the request's reference.
 *
 * @param input.isSure whether the author has confirmed a card without the reference
 * @returns `unreadable` if the key can't read such a card, `unproven` if the card lacks the reference
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
  if (request.state !== 'in_doubt' && !isUnnamed(request)) return { done: false, request };
  // Someone may have asked for the card before it existed.
  const reading = await ctx.cards.read(workspaceId, cardId, { class: 'person', since: ctx.now() });
  if ('trouble' in reading && reading.trouble) throw reading.trouble;
  if ('unreadable' in reading) return { unreadable: reading.unreadable };
  const { title, descriptionHtml } = reading.card;
  if (!isSure && !descriptionHtml.includes(request.reference)) return { unproven: { title } };
  const decided = isUnnamed(request)
    ? await resultOf(ctx, request, await linkCard(ctx, request, cardId))
    : await decideInDoubt(ctx, { workspaceId, userId, requestId, decision: 'found', cardId });
  // Reading the card may have linked it already.
  return !decided.done && decided.request?.cardId === cardId
    ? { done: true, request: decided.request }
    : decided;
}
