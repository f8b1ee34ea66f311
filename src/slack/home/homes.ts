import { LRUCache } from 'lru-cache';
import { atMost, forAtMost } from '../../clock.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { Log } from '../../ops/logging.ts';
import type { DesignRequest } from '../../requests/request.ts';
import type { CardReader } from '../../service/cache/card-reader.ts';
import { outcomeOfCall, slackErrorCode } from '../client/errors.ts';
import type { SlackClients } from '../client/slack-client.ts';
import { type AccessControl, type Actor, actorOf } from '../surface/access.ts';
import { type ActionArgs, type HomeOpenedArgs, isInHome, workspaceOf } from '../surface/replies.ts';
import { createTurns } from '../surface/views.ts';
import type { HomeData } from './home-data.ts';
import { buildHome, type HomeProps } from './home-view.ts';

/** How long a tab is kept current after it was opened or used, in ms. Slack doesn't say when it is left. */
const KEPT_CURRENT_MS = 10 * 60_000;
const MAX_KEPT_CURRENT = 10_000;
/** How many cards are read again for an opened tab, one by one, with calls that nobody else needs. */
const CARDS_READ_MAX = 10;

type Owner = Pick<Actor, 'workspaceId' | 'userId'>;
const keyOf = ({ workspaceId, userId }: Owner) => `${workspaceId}/${userId}`;

export type Homes = ReturnType<typeof createHomes>;

/**
 * Draws people's Home tabs: when they open them, and when something that these show has changed. A tab that can't be
 * drawn again stays as it is until the next time.
 */
export function createHomes(deps: {
  clients: SlackClients;
  access: AccessControl;
  cards: CardReader;
  homeData: HomeData;
  supportUrl: string | undefined;
  now: () => Date;
  log: Log;
}) {
  const { clients, access, cards, homeData, supportUrl, now, log } = deps;
  const opened = new LRUCache<string, Owner>({
    ...atMost(MAX_KEPT_CURRENT),
    ...forAtMost(KEPT_CURRENT_MS, now),
  });
  const running = new Set<Promise<unknown>>();
  const inTurn = createTurns();

  /** What to show, from what is stored and cached. Asks Slack only about people: the reader, and whom they can ask. */
  async function propsFor(actor: Actor): Promise<HomeProps> {
    const checked =
      (await access.checkCached(actor, 'users', 'recent')) ?? (await access.check(actor, 'users'));
    const findAdmin = () => access.adminToAsk(actor.client, actor.workspaceId, actor.userId);
    if ('denied' in checked) return { denied: checked.denied, admin: await findAdmin() };
    return homeData(checked.user, findAdmin);
  }

  /**
   * Draws a tab after any earlier drawing of it, unless a newer one follows, which shows everything that this one would.
   *
   * @returns the cards that weren't read lately
   * @throws Slack's error if it may work later
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
    if (!opened.has(keyOf(owner))) return;
    const { workspaceId, userId } = owner;
    const actor = { workspaceId, userId, client: await clients.of(workspaceId) };
    await refresh(actor, await draw(actor));
  }

  const keepCurrent = ({ workspaceId, userId }: Owner) =>
    opened.set(keyOf({ workspaceId, userId }), { workspaceId, userId });

  return {
    /**
     * Draws a tab that someone has opened, and again after its cards were read. The Messages tab shows only messages.
     *
     * @throws Slack's error if it may work later
     */
    async open({ event, client, context }: HomeOpenedArgs): Promise<void> {
      if (event.tab !== 'home') return;
      const actor = { client, workspaceId: workspaceOf(context), userId: event.user };
      keepCurrent(actor);
      inBackground(refresh(actor, await draw(actor)));
    },

    /** Draws the tab again if a button was pressed in it. */
    pressed(args: ActionArgs): void {
      if (!isInHome(args)) return;
      const actor = actorOf(args);
      keepCurrent(actor);
      inBackground(redraw(actor));
    },

    /** Draws the tab of a request's author again if they opened it lately. */
    requestChanged(author: DesignRequest): void {
      inBackground(redraw(author));
    },

    /** The same for everyone in a workspace, one after the other, after its connection or settings have changed. */
    workspaceChanged(workspaceId: WorkspaceId): void {
      const drawAll = inTurn(workspaceId, async (isLatest) => {
        for (const owner of [...opened.values()]) {
          if (!isLatest()) return;
          if (owner.workspaceId !== workspaceId) continue;
          const { userId } = owner;
          // One that can't be drawn keeps no other waiting.
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
