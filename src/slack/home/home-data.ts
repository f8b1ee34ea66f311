import type { Cards } from '../../design-service.ts';
import type { CardLinks } from '../../references.ts';
import type { UnfinishedForms } from '../../requests/unfinished-forms.ts';
import type { EffectiveKeys } from '../../service/service-access.ts';
import type { RequestStore } from '../../store/requests.ts';
import type { WatchStore } from '../../store/watches.ts';
import { asOfIfOld } from '../card/card-view.ts';
import { offersAmong } from '../request-form/form-view.ts';
import type { CachedCard } from '../request-form/outcome.ts';
import type { AllowedUser } from '../surface/access.ts';
import { connectOffer } from '../surface/connection.ts';
import type { AdminToAsk } from '../words/errors.ts';

/** How many closed and how many open requests are shown. A view takes 100 blocks. */
const RECENT_MAX = 20;
const OPEN_MAX = 15;
/** How many watched cards are shown that the person didn't request. */
export const WATCHED_MAX = 10;
/** How many watched cards are counted, to say how many aren't shown. */
const WATCHED_COUNTED = 500;

type HomeDataDeps = {
  requests: RequestStore;
  keys: Pick<EffectiveKeys, 'describe'>;
  unfinishedForms: UnfinishedForms;
  watches: WatchStore;
  cards: Cards;
  now: () => Date;
};

export type HomeData = ReturnType<typeof createHomeData>;
export type UsableHome = Awaited<ReturnType<HomeData>>;

/**
 * What someone's Home tab shows, from what is stored and cached: no call to the service, and one to Slack only to find
 * whom they can ask.
 */
export const createHomeData =
  (deps: HomeDataDeps) =>
  async ({ workspaceId, person }: AllowedUser, findAdmin: () => Promise<AdminToAsk>) => {
    const { requests, keys, unfinishedForms, watches, cards } = deps;
    const [newest, open, count, key, saved, watching] = await Promise.all([
      requests.listByAuthor(workspaceId, person.id, RECENT_MAX),
      requests.listOpenByAuthor(workspaceId, person.id, OPEN_MAX),
      requests.countByAuthor(workspaceId, person.id),
      keys.describe(workspaceId),
      unfinishedForms.of(workspaceId, person.id),
      watches.cardsWatchedBy(workspaceId, person.id, WATCHED_COUNTED),
    ]);
    const isAdmin = person.role === 'admin';
    const isConnected = key?.state === 'active';
    const admin = isConnected && open.length === 0 ? undefined : await findAdmin();
    const closed = newest.filter(({ state }) => state === 'created' || state === 'discarded');
    const cardIds = closed.flatMap(({ cardId }) => cardId ?? []);
    // Those of their own requests are in the lists above.
    const others = watching.filter((cardId) => !cardIds.includes(cardId));
    const now = deps.now();
    const known = new Map<string, CachedCard>();
    const staleCards: string[] = [];
    const loaded = [...cardIds, ...others.slice(0, WATCHED_MAX)].map(
      async (cardId) => [cardId, await cards.load(workspaceId, cardId)] as const,
    );
    for (const [cardId, reading] of await Promise.all(loaded)) {
      if (reading && 'card' in reading) known.set(cardId, reading);
      if (!reading || asOfIfOld(reading.readAt, now)) staleCards.push(cardId);
    }
    return {
      isAdmin,
      admin,
      key,
      /** Without a usable key: connects one, or asks someone to. */
      connectOffer: isConnected ? undefined : connectOffer(admin),
      unfinished: offersAmong(saved),
      /** Waiting, in doubt, or refused. */
      open,
      closed,
      /** As they were read last, by ID; those that weren't read lately are stale. */
      cards: known,
      staleCards,
      watched: new Set(watching),
      /** Without those of their own requests; the newest watch first. */
      watchedElsewhere: others,
      now,
      /** How many requests are not shown. */
      older: Math.max(count - open.length - closed.length, 0),
      cardLinks: cards as CardLinks,
    };
  };
