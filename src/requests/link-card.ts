import type { WorkspaceId } from '../installations/workspace-id.ts';
import type { Log } from '../ops/logging.ts';
import { lastReferenceIn } from '../references.ts';
import type { Card } from '../service/operations/card.ts';
import type { RequestStore } from '../store/requests.ts';
import { showJob, watchCreated } from '../watching/begin-watching.ts';
import { type ChangeContext, changeRequestState } from './change-request-state.ts';
import { announceJob, isSearchedFor } from './jobs.ts';
import { type DesignRequest, isUnnamed } from './request.ts';

type LinkContext = Pick<ChangeContext, 'transact' | 'now'>;

/** Also watches the card, which redraws the confirmation. @returns undefined if that was known */
function linkCard(
  { transact, now }: LinkContext,
  { workspaceId, id }: Pick<DesignRequest, 'workspaceId' | 'id'>,
  cardId: string,
): Promise<DesignRequest | undefined> {
  return transact(async ({ requests, watches, jobs }) => {
    const linked = await requests.linkCard({ workspaceId, id }, cardId);
    if (!linked) return undefined;
    const { userId, message } = linked;
    const card = { workspaceId, cardId };
    const read = await watchCreated(watches, linked, now());
    if (message) await watches.moveWatcher(card, userId, message);
    // Someone else watches the card already.
    const watched = read ? undefined : await watches.get(card);
    const job = watched ? showJob(watched, now()) : read;
    if (job) await jobs.add(job, now());
    return linked;
  });
}

/** A request in doubt or unnamed turned out to be a card. @returns undefined if that was known */
export async function recordFound(
  ctx: LinkContext,
  request: DesignRequest,
  cardId: string | undefined,
): Promise<DesignRequest | undefined> {
  if (isUnnamed(request)) return cardId === undefined ? undefined : linkCard(ctx, request, cardId);
  return changeRequestState(ctx, request, {
    from: ['in_doubt'],
    to: 'created',
    change: { cardId },
    nextJob: announceJob,
  });
}

/** Links a card, read for any reason, to a request that lacks one, by reference. Never rejects. */
export async function linkReadCard(
  ctx: LinkContext & { requests: Pick<RequestStore, 'getByReference'>; log: Log },
  workspaceId: WorkspaceId,
  { id: cardId, descriptionHtml }: Card,
): Promise<void> {
  try {
    const reference = lastReferenceIn(descriptionHtml);
    const request = reference && (await ctx.requests.getByReference(workspaceId, reference));
    if (request && isSearchedFor(request)) await recordFound(ctx, request, cardId);
  } catch (error) {
    ctx.log.warn({ err: error }, 'could not link a card to its request');
  }
}
