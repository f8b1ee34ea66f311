import { LRUCache } from 'lru-cache';
import { atMost, forAtMost } from '../../clock.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { Log } from '../../ops/logging.ts';
import type { DesignRequest } from '../../requests/request.ts';
import { outcomeOfCall, slackErrorCode } from '../client/errors.ts';
import type { SlackClients } from '../client/slack-client.ts';
import type { AccessControl, Actor } from '../interaction/access.ts';
import type { PersonalEvent, Press } from '../interaction/interactions.ts';
import { createTurns } from '../interaction/views.ts';
import { buildHome, buildRefusal, type HomeSources, readHome } from './home-view.ts';

/** How long a tab is kept current after it was opened or used, in ms. Slack doesn't say when it is left. */
const KEPT_CURRENT_MS = 10 * 60_000;
const MAX_KEPT_CURRENT = 10_000;
/** How many cards are read again for an opened tab, one by one, from the budget that nothing else uses. */
const CARDS_READ_MAX = 10;
type Owner = Pick<Actor, 'workspaceId' | 'userId'>;
const keyOf = ({ workspaceId, userId }: Owner) => `${workspaceId}/${userId}`;

export type Homes = ReturnType<typeof createHomes>;

/** Draws Home tabs when opened, and again when something in them changes. If that fails, they stay. */
export function createHomes(
  deps: HomeSources & {
    clients: SlackClients;
    access: AccessControl;
    supportUrl: string | undefined;
    log: Log;
  },
) {
  const { clients, access, cards, supportUrl, now, log } = deps;
  const current = new LRUCache<string, Owner>({
    ...atMost(MAX_KEPT_CURRENT),
    ...forAtMost(KEPT_CURRENT_MS, now),
  });
  const running = new Set<Promise<unknown>>();
  const inTurn = createTurns();

  async function read(actor: Actor) {
    const checked =
      (await access.checkCached(actor, 'users', 'recent')) ?? (await access.check(actor, 'users'));
    const findAdmin = () => access.adminToAsk(actor);
    if ('user' in checked) return readHome(deps, checked.user, findAdmin);
    return { blocks: buildRefusal(checked.denied, await findAdmin()), staleCards: [] };
  }

  /** One at a time; skipped if a newer call waits, which shows everything. Returns the cards not read lately. */
  const draw = (actor: Actor) =>
    inTurn(keyOf(actor), async (isLatest): Promise<readonly string[]> => {
      if (!isLatest()) return [];
      const { blocks, staleCards } = await read(actor);
      const { client, workspaceId, userId } = actor;
      try {
        await client.views.publish({ user_id: userId, view: buildHome(blocks, supportUrl) });
      } catch (error) {
        if (outcomeOfCall(error) !== 'refused') throw error;
        const isOff = slackErrorCode(error) === 'not_enabled';
        log.warn({ err: error, workspace: workspaceId }, isOff ? HOME_TAB_OFF : REFUSED);
      }
      return staleCards;
    });

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
