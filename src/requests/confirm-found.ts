import type { WorkspaceId } from '../installations/workspace-id.ts';
import type { CardReader } from '../service/cache/card-reader.ts';
import type { RequestStore } from '../store/requests.ts';
import type { Transact } from '../store/transact.ts';
import { type DecisionResult, decideInDoubt } from './decide-in-doubt.ts';
import { linkCard } from './link-card.ts';
import { type DesignRequest, isUnnamed } from './request.ts';

export type FoundResult =
  | DecisionResult
  /** The workspace's key can't read such a card. */
  | { unreadable: 'not_found' | 'forbidden' }
  /** The card's description doesn't contain the request's reference. */
  | { unproven: { title: string } };

/**
 * Records the card that a request in doubt or unnamed became, as its author says, if the workspace's key can read it and its
 * description contains the request's reference.
 *
 * @param input.isSure whether the author has confirmed a card without the reference
 * @throws NotConnectedError or DesignApiError if the card can't be read now
 */
export async function confirmFound(
  ctx: {
    requests: RequestStore;
    transact: Transact;
    cards: Pick<CardReader, 'read'>;
    now: () => Date;
  },
  input: {
    workspaceId: WorkspaceId;
    userId: string;
    requestId: string;
    cardId: string;
    isSure: boolean;
  },
): Promise<FoundResult> {
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
    ? await link(ctx, request, cardId)
    : await decideInDoubt(ctx, { workspaceId, userId, requestId, decision: 'found', cardId });
  // Reading the card has linked it.
  return !decided.done && decided.request?.cardId === cardId
    ? { done: true, request: decided.request }
    : decided;
}

async function link(
  ctx: { requests: RequestStore; transact: Transact; now: () => Date },
  { workspaceId, id }: DesignRequest,
  cardId: string,
): Promise<DecisionResult> {
  const linked = await linkCard(ctx, { workspaceId, id }, cardId);
  if (linked) return { done: true, request: linked };
  return { done: false, request: await ctx.requests.get(workspaceId, id) };
}
