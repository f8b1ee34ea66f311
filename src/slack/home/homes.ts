import { LRUCache } from 'lru-cache';
import { atMost, forAtMost } from '../../clock.ts';
import type { Cards } from '../../design-service.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { Log } from '../../ops/logging.ts';
import type { CardLinks } from '../../references.ts';
import type { DesignRequest } from '../../requests/request.ts';
import type { UnfinishedForms } from '../../requests/unfinished-forms.ts';
import type { EffectiveKeys } from '../../service/service-access.ts';
import type { RequestStore } from '../../store/requests.ts';
import type { WatchStore } from '../../store/watches.ts';
import { asOfIfOld } from '../card/card-view.ts';
import { outcomeOfCall, slackErrorCode } from '../client/errors.ts';
import type { SlackClients } from '../client/slack-client.ts';
import { offersAmong } from '../request-form/form-view.ts';
import type { CachedCard } from '../request-form/outcome.ts';
import type { AccessControl, Actor, AllowedUser } from '../surface/access.ts';
import { connectOrAskButton } from '../surface/connection.ts';
import type { PersonalEvent, Press } from '../surface/interactions.ts';
import { createTurns } from '../surface/views.ts';
import type { AdminToAsk } from '../words/errors.ts';
import { buildHome, type HomeProps, WATCHED_MAX } from './home-view.ts';

/** How long a tab is kept current after it was opened or used, in ms. Slack doesn't say when it is left. */
const KEPT_CURRENT_MS = 10 * 60_000;
const MAX_KEPT_CURRENT = 10_000;
/** How many cards are read again for an opened tab, one by one, from the budget that nothing else uses. */
const CARDS_READ_MAX = 10;
/** How many closed and how many open requests are shown. A view takes 100 blocks. */
const RECENT_MAX = 20;
const OPEN_MAX = 15;
/** How many watched cards are counted, to say how many aren't shown. */
const WATCHED_COUNTED = 500;

type Owner = Pick<Actor, 'workspaceId' | 'userId'>;
const keyOf = ({ workspaceId, userId }: Owner) => `${workspaceId}/${userId}`;

type HomeDeps = {
  clients: SlackClients;
  access: AccessControl;
  requests: RequestStore;
  keys: Pick<EffectiveKeys, 'describe'>;
  unfinishedForms: UnfinishedForms;
  watches: WatchStore;
  cards: Cards;
  supportUrl: string | undefined;
  now: () => Date;
  log: Log;
};

export type Homes = ReturnType<typeof createHomes>;

/** Draws Home tabs when opened, and again when something in them changes. If that fails, they stay. */
export function createHomes(deps: HomeDeps) {
  const { clients, access, cards, supportUrl, now, log } = deps;
  const current = new LRUCache<string, Owner>({
    ...atMost(MAX_KEPT_CURRENT),
    ...forAtMost(KEPT_CURRENT_MS, now),
  });
  const running = new Set<Promise<unknown>>();
  const inTurn = createTurns();

  async function propsFor(actor: Actor): Promise<HomeProps> {
    const checked =
      (await access.checkCached(actor, 'users', 'recent')) ?? (await access.check(actor, 'users'));
    const findAdmin = () => access.adminToAsk(actor);
    if ('denied' in checked) return { denied: checked.denied, admin: await findAdmin() };
    return readHome(deps, checked.user, findAdmin);
  }

  /**
   * Draws a tab after any earlier drawing of it, unless a newer one follows, which shows everything that this one would.
   * Returns the cards that weren't read lately.
   */
  const draw = (actor: Actor) =>
    inTurn(keyOf(actor), async (isLatest): Promise<readonly string[]> => {
      if (!isLatest()) return [];
      const props = await propsFor(actor);
      await publish(actor, props);
      return 'denied' in props ? [] : props.staleCards;
    });

  async function publish({ client, workspaceId, userId }: Actor, props: HomeProps): Promise<void> {
    try {
      await client.views.publish({ user_id: userId, view: buildHome(props, supportUrl) });
    } catch (error) {
      if (outcomeOfCall(error) !== 'refused') throw error;
      const isOff = slackErrorCode(error) === 'not_enabled';
      log.warn({ err: error, workspace: workspaceId }, isOff ? HOME_TAB_OFF : REFUSED);
    }
  }

  /** Reads the cards that a tab shows as they were long ago, and draws it again. */
  async function refresh(actor: Actor, stale: readonly string[]): Promise<void> {
    if (stale.length === 0) return;
    for (const cardId of stale.slice(0, CARDS_READ_MAX)) {
      await cards.read(actor.workspaceId, cardId, { class: 'watch' });
    }
    await draw(actor);
  }

  const logFailure = (error: unknown) =>
    log.info({ err: error }, 'could not draw a Home tab again');

  function inBackground(work: Promise<unknown>): void {
    const done: Promise<unknown> = work.catch(logFailure).finally(() => running.delete(done));
    running.add(done);
  }

  async function redraw(owner: Owner): Promise<void> {
    if (!current.has(keyOf(owner))) return;
    const { workspaceId, userId } = owner;
    const actor = { workspaceId, userId, client: await clients.of(workspaceId) };
    await refresh(actor, await draw(actor));
  }

  const keepCurrent = ({ workspaceId, userId }: Owner) =>
    current.set(keyOf({ workspaceId, userId }), { workspaceId, userId });

  return {
    /** @throws Slack's error if it may work later */
    async open(opened: PersonalEvent<'app_home_opened'>): Promise<void> {
      if (opened.body.event.tab !== 'home') return;
      keepCurrent(opened);
      inBackground(refresh(opened, await draw(opened)));
    },

    /** Draws the tab again if a button was pressed in it. */
    pressed(press: Press): void {
      if (press.from !== 'home') return;
      keepCurrent(press);
      inBackground(redraw(press));
    },

    /** Draws the tab of a request's author again if they opened it lately. */
    requestChanged(author: DesignRequest): void {
      inBackground(redraw(author));
    },

    /** The same for everyone in a workspace, one after the other, after its connection or settings have changed. */
    workspaceChanged(workspaceId: WorkspaceId): void {
      const drawAll = inTurn(workspaceId, async (isLatest) => {
        for (const owner of [...current.values()]) {
          if (!isLatest()) return;
          if (owner.workspaceId !== workspaceId) continue;
          const { userId } = owner;
          // A tab that can't be drawn doesn't stop the others.
          await clients
            .of(workspaceId)
            .then((client) => draw({ workspaceId, userId, client }))
            .catch(logFailure);
        }
      });
      inBackground(drawAll);
    },

    /** Resolves when nothing is being drawn. */
    async idle(): Promise<void> {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

const REFUSED = 'Slack refused a Home tab';
const HOME_TAB_OFF = `${REFUSED}: turn on features.app_home.home_tab_enabled in the app's manifest`;

export type UsableHome = Awaited<ReturnType<typeof readHome>>;

/** From what is stored and cached: no call to the service, and one to Slack only to find whom they can ask. */
async function readHome(
  { requests, keys, unfinishedForms, watches, cards, now: clock }: HomeDeps,
  { workspaceId, person }: AllowedUser,
  findAdmin: () => Promise<AdminToAsk>,
) {
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
  const now = clock();
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
    connectOrAsk: isConnected ? undefined : connectOrAskButton(admin),
    unfinished: offersAmong(saved),
    open,
    closed,
    /** As they were read last, by ID; those that weren't read lately are stale. */
    cards: known,
    staleCards,
    watched: new Set(watching),
    /** Without those of their own requests; the newest watch first. */
    watchedElsewhere: others,
    now,
    older: Math.max(count - open.length - closed.length, 0),
    cardLinks: cards as CardLinks,
  };
}
