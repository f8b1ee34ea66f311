import { asOfIfOld } from '../card/card-view.ts';
import { connectOffer } from '../connect/connection.ts';
import type { SlackDeps } from '../deps.ts';
import type { AllowedUser } from '../listener/access.ts';
import { offersAmong } from '../request-form/offers.ts';
import type { KnownCard } from '../request-form/request-line.ts';
import type { AdminToAsk } from '../words/errors.ts';
import { OPEN_MAX, RECENT_MAX, type UsableHome, WATCHED_MAX } from './home-view.ts';

/** Watched cards that are counted, to say how many aren't shown. */
const WATCHED_COUNTED = 500;

/** What someone's Home tab shows, from what is known: no call to the service, and none to Slack. */
export async function homeOf(
  deps: Omit<SlackDeps, 'homes'>,
  { workspaceId, person }: AllowedUser,
  admin: AdminToAsk,
): Promise<UsableHome> {
  const { requests, keys, cardLinks } = deps;
  const [newest, open, count, key, saved, watching] = await Promise.all([
    requests.listByAuthor(workspaceId, person.id, RECENT_MAX),
    requests.listOpenByAuthor(workspaceId, person.id, OPEN_MAX),
    requests.countByAuthor(workspaceId, person.id),
    keys.describe(workspaceId),
    deps.unfinishedForms.of(workspaceId, person.id),
    deps.watches.cardsWatchedBy(workspaceId, person.id, WATCHED_COUNTED),
  ]);
  const isAdmin = person.role === 'admin';
  const closed = newest.filter(({ state }) => state === 'created' || state === 'discarded');
  const cardIds = closed.flatMap(({ cardId }) => cardId ?? []);
  // Those of their own requests are in the lists above.
  const others = watching.filter((cardId) => !cardIds.includes(cardId));
  const now = deps.now();
  const cards = new Map<string, KnownCard>();
  const staleCards: string[] = [];
  for (const cardId of [...cardIds, ...others.slice(0, WATCHED_MAX)]) {
    const reading = await deps.cards.peek(workspaceId, cardId);
    if (reading && 'card' in reading) cards.set(cardId, reading);
    if (!reading || asOfIfOld(reading.readAt, now)) staleCards.push(cardId);
  }
  return {
    isAdmin,
    admin,
    key,
    connectOffer: key?.state === 'active' ? undefined : connectOffer(isAdmin ? 'reader' : admin),
    unfinished: offersAmong(saved),
    open,
    closed,
    cards,
    staleCards,
    watched: await deps.watches.watchedBy(workspaceId, person.id, cardIds),
    watchedElsewhere: others,
    now,
    older: Math.max(count - open.length - closed.length, 0),
    cardLinks,
  };
}
