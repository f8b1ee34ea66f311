import type { Button, Overflow } from '@slack/types';
import { isUnlistedForm } from '../../requests/match-lists.ts';
import type { DesignRequest } from '../../requests/request.ts';
import type { Card } from '../../service/operations/card.ts';
import { neededBy } from '../../service/operations/loose-values.ts';
import { coloredStatus, dueOf, onOneLine, plain } from '../card/card-text.ts';
import { CARD_ACTIONS, menuOf } from '../card/menu.ts';
import { button } from '../text/blocks.ts';
import { timeAgo } from '../text/slack-date.ts';
import { CARD, WATCHING } from '../words/card.ts';
import { LIST } from '../words/command.ts';
import { REQUEST_AGAIN } from './ids.ts';

const FACT_CHARS = 60;
/** A status this old, in ms, is good enough for a list. An older one says when it was read. */
const OLD_AFTER_MS = 5 * 60_000;

/** A card as it was read last. */
export type CachedCard = { card: Card; readAt: Date };

/** A request in a list of requests, on one line of mrkdwn. */
export function requestFacts(
  request: DesignRequest,
  known: CachedCard | undefined,
  now: Date,
): string {
  const { form, reference, createdAt, state } = request;
  const isSavedDraft = state === 'created' && form.isDraft;
  const status = known && coloredStatus(known.card);
  const isOld = known && now.getTime() - known.readAt.getTime() > OLD_AFTER_MS;
  const isNamedDraft = known?.card.status?.name.trim().toLowerCase() === LIST.draft.toLowerCase();
  return onOneLine([
    isSavedDraft && status && !isNamedDraft ? LIST.draft : undefined,
    status ?? (isSavedDraft ? LIST.draft : LIST.inState[state]),
    isUnlistedForm(form) ? undefined : plain(form.requestType.name, FACT_CHARS),
    plain(form.brand?.name, FACT_CHARS),
    dueOfRequest(request, known?.card, now),
    LIST.requested(timeAgo(createdAt)),
    isOld ? CARD.asOf(timeAgo(known.readAt)) : undefined,
    reference,
  ]);
}

/** When it is due, or else needed. */
export const dueOfRequest = ({ form }: DesignRequest, card: Card | undefined, now: Date) =>
  dueOf({ status: card?.status, dueDate: card?.dueDate ?? neededBy(form.neededBy) }, now);

/**
 * What people can do with one of their requests in a list. With a card, that is more than fits next to its line, so it
 * is a menu.
 */
export function requestMenu(
  { id, form, state, cardId }: DesignRequest,
  isWatched: boolean,
): Button | Overflow | undefined {
  // Beside the question whether it arrived, this would make a second card.
  if (state === 'in_doubt') return undefined;
  const watch = isWatched
    ? { actionId: CARD_ACTIONS.stopWatching, label: WATCHING.stop }
    : { actionId: CARD_ACTIONS.watch, label: WATCHING.watch };
  const again = { actionId: REQUEST_AGAIN, label: LIST.requestAgain, value: id };
  const hasCard = state === 'created' && cardId !== undefined;
  const [menu] = hasCard ? menuOf([again, { ...watch, value: cardId }]) : [];
  return menu ?? button(REQUEST_AGAIN, LIST.requestAgain, { value: id, about: form.title });
}
