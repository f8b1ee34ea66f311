import type { WorkspaceId } from '../../installations/workspace-id.ts';
import { asOfIfOld } from '../card/describe-card.ts';
import { connectOffer } from '../connect/ask-admin.ts';
import type { SlackDeps } from '../deps.ts';
import type { AllowedUser } from '../listener/access.ts';
import type { KnownCard } from '../request-form/request-facts.ts';
import { offersAmong } from '../request-form/unfinished.ts';
import type { AdminToAsk } from '../words/errors.ts';
import { type HomeProps, OPEN_MAX, RECENT_MAX, WATCHED_MAX } from './home-view.ts';

/** Watched cards that are counted, to say how many aren't shown. */
const WATCHED_COUNTED = 500;

type DataDeps = Pick<
  SlackDeps,
  'requests' | 'watches' | 'unfinishedForms' | 'keys' | 'cards' | 'cardLinks' | 'now'
>;

/** What someone's Home tab shows, from what is known: no call to the service, and none to Slack. */
export async function homeOf(
  deps: DataDeps,
  { workspaceId, person }: AllowedUser,
  admin: AdminToAsk,
): Promise<HomeProps> {
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
  return {
    isAdmin,
    admin,
    key,
    connectOffer: key?.state === 'active' ? undefined : connectOffer(isAdmin ? 'reader' : admin),
    unfinished: offersAmong(saved),
    open,
    closed,
    cards: await knownCards(deps, workspaceId, [...cardIds, ...others.slice(0, WATCHED_MAX)]),
    watched: await deps.watches.watchedBy(workspaceId, person.id, cardIds),
    watchedElsewhere: others,
    now: deps.now(),
    older: Math.max(count - open.length - closed.length, 0),
    cardLinks,
  };
}

async function knownCards(
  { cards }: DataDeps,
  workspaceId: WorkspaceId,
  cardIds: readonly string[],
): Promise<Map<string, KnownCard>> {
  const known = new Map<string, KnownCard>();
  for (const cardId of cardIds) {
    const reading = await cards.peek(workspaceId, cardId);
    if (reading && 'card' in reading) known.set(cardId, reading);
  }
  return known;
}

/** The cards in a Home tab that weren't read lately, newest first. */
export async function staleCards(
  { cards, now }: Pick<DataDeps, 'cards' | 'now'>,
  workspaceId: WorkspaceId,
  props: HomeProps,
): Promise<string[]> {
  if ('denied' in props) return [];
  const stale: string[] = [];
  const ofRequests = props.closed.flatMap(({ cardId }) => cardId ?? []);
  for (const cardId of [...ofRequests, ...props.watchedElsewhere.slice(0, WATCHED_MAX)]) {
    const reading = await cards.peek(workspaceId, cardId);
    if (!reading || asOfIfOld(reading.readAt, now())) stale.push(cardId);
  }
  return stale;
}
