import { createHash } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { HomeView } from '@slack/types';
import { LRUCache } from 'lru-cache';
import { atMost, forAtMost } from '../../clock.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { Log } from '../../ops/logging.ts';
import type { DesignRequest } from '../../requests/request.ts';
import type { CardReader } from '../../service/cache/card-reader.ts';
import { outcomeOfCall, slackErrorCode, slackRetryAt } from '../client/errors.ts';
import type { People } from '../client/people.ts';
import type { SlackClients } from '../client/slack-client.ts';
import { type AccessControl, type Actor, actorOf } from '../surface/access.ts';
import { type ActionArgs, type HomeOpenedArgs, isInHome, workspaceOf } from '../surface/replies.ts';
import { createTurns } from '../surface/views.ts';
import type { AdminToAsk } from '../words/errors.ts';
import type { HomeData } from './home-data.ts';
import { buildHome, type HomeProps } from './home-view.ts';

/** How long a tab is kept current after it was opened or used, in ms. Slack doesn't say when it is left. */
const KEPT_CURRENT_MS = 10 * 60_000;
const MAX_KEPT_CURRENT = 10_000;
/** How many cards are read again for an opened tab, one by one, with calls that nobody else needs. */
const CARDS_READ_MAX = 10;
const MAX_REMEMBERED = 1_000;

type Owner = Pick<Actor, 'workspaceId' | 'userId'>;
type Opened = Owner & {
  /** A digest of what was published last. */
  digest?: string;
};

const keyOf = ({ workspaceId, userId }: Owner) => `${workspaceId}/${userId}`;

export type Homes = ReturnType<typeof createHomes>;

/** Draws people's Home tabs: when they open them, and when something that these show has changed. */
export function createHomes(deps: {
  clients: SlackClients;
  people: People;
  access: AccessControl;
  cards: CardReader;
  homeData: HomeData;
  supportUrl: string | undefined;
  now: () => Date;
  log: Log;
}) {
  const { clients, people, access, cards, homeData, now, log } = deps;
  const opened = new LRUCache<string, Opened>({
    ...atMost(MAX_KEPT_CURRENT),
    ...forAtMost(KEPT_CURRENT_MS, now),
  });
  const refused = new LRUCache<string, true>(atMost(MAX_REMEMBERED));
  const running = new Set<Promise<unknown>>();
  const inTurn = createTurns();

  /** What to show, from what is stored and cached. Asks Slack about the person only if its last answer is old. */
  async function propsFor(actor: Actor, found: AdminToAsk): Promise<HomeProps> {
    const { workspaceId, userId } = actor;
    const checked =
      (await access.checkCached(actor, 'users', 'recent')) ?? (await access.check(actor, 'users'));
    const person = people.cached(workspaceId, userId, 'any');
    const admin = found ?? (person && (await access.knownAdminToAsk(workspaceId, person)));
    if ('denied' in checked) return { denied: checked.denied, admin };
    return homeData(checked.user, admin);
  }

  /**
   * Draws a tab if that changes it, after any earlier drawing of it.
   *
   * @param options.always draws it even if that changes nothing
   * @param options.admin whom to ask, if they were looked for
   * @returns what the tab shows; undefined if a later drawing follows
   * @throws Slack's error if it may work later
   */
  function draw(actor: Actor, options: { always?: boolean; admin?: AdminToAsk } = {}) {
    return inTurn(keyOf(actor), async (isLatest) => {
      // A newer drawing shows everything that this one would.
      if (!isLatest()) return undefined;
      const props = await propsFor(actor, options.admin);
      const view = buildHome(props, deps.supportUrl);
      const entry = opened.get(keyOf(actor));
      const digest = createHash('sha256').update(JSON.stringify(view)).digest('base64');
      if (options.always || digest !== entry?.digest) await publish(actor, view);
      if (entry) entry.digest = digest;
      return props;
    });
  }

  /** A refusal is logged once for each workspace and code, and not thrown. */
  async function publish({ client, workspaceId, userId }: Actor, view: HomeView): Promise<void> {
    try {
      await client.views.publish({ user_id: userId, view });
    } catch (error) {
      if (outcomeOfCall(error) !== 'refused') throw error;
      const code = slackErrorCode(error);
      const about = { err: error, workspace: workspaceId, code };
      const once = `${workspaceId}/${code}`;
      if (!refused.has(once)) log.warn(about, code === 'not_enabled' ? HOME_TAB_OFF : REFUSED);
      refused.set(once, true);
    }
  }

  /** Reads what a drawn tab lacks (whom to ask, and the cards' statuses), and draws it again if that changes it. */
  async function complete(actor: Actor, props: HomeProps): Promise<void> {
    const isAdminNeeded = 'denied' in props || props.key?.state !== 'active';
    const admin = isAdminNeeded
      ? await access.adminToAsk(actor.client, actor.workspaceId, actor.userId)
      : undefined;
    const stale = 'denied' in props ? [] : props.staleCards;
    try {
      for (const cardId of stale.slice(0, CARDS_READ_MAX)) {
        await cards.read(actor.workspaceId, cardId, { class: 'watch' });
      }
    } catch (error) {
      // The others couldn't be read either.
      log.debug({ err: error }, 'could not read a card for a Home tab');
    }
    await draw(actor, { admin });
  }

  const drawCompletely = (always: boolean) => async (actor: Actor) => {
    const props = await draw(actor, { always });
    if (props) await complete(actor, props);
  };

  /** Tries again when Slack allows it, as long as the tab is kept current. If it can't, the tab stays as it is. */
  async function persistently(
    { workspaceId, userId }: Owner,
    work: (actor: Actor) => Promise<unknown>,
  ): Promise<void> {
    while (opened.has(keyOf({ workspaceId, userId }))) {
      try {
        await work({ workspaceId, userId, client: await clients.of(workspaceId) });
        return;
      } catch (error) {
        log.info({ err: error }, 'could not draw a Home tab again');
        const at = slackRetryAt(error, now());
        if (!at) return;
        await sleep(at.getTime() - now().getTime(), undefined, { ref: false });
      }
    }
  }

  function inBackground(work: Promise<unknown>): void {
    const done: Promise<unknown> = work.finally(() => running.delete(done));
    running.add(done);
  }

  function rememberOpened({ workspaceId, userId }: Owner): void {
    const key = keyOf({ workspaceId, userId });
    opened.set(key, opened.get(key) ?? { workspaceId, userId });
  }

  return {
    /**
     * Draws a tab that someone has opened: at once from what is stored and cached, and again after the rest was read.
     * The Messages tab shows only messages.
     *
     * @throws Slack's error if it may work later
     */
    async open({ event, client, context }: HomeOpenedArgs): Promise<void> {
      if (event.tab !== 'home') return;
      const actor = { client, workspaceId: workspaceOf(context), userId: event.user };
      rememberOpened(actor);
      const props = await draw(actor, { always: true });
      if (props) inBackground(persistently(actor, (again) => complete(again, props)));
    },

    /** Draws the tab again if a button was pressed in it. */
    pressed(args: ActionArgs): void {
      if (!isInHome(args)) return;
      const actor = actorOf(args);
      rememberOpened(actor);
      inBackground(persistently(actor, drawCompletely(true)));
    },

    /** Draws the tab of a request's author again if they opened it lately. */
    requestChanged({ workspaceId, userId }: DesignRequest): void {
      inBackground(persistently({ workspaceId, userId }, drawCompletely(false)));
    },

    /** The same for everyone in a workspace, one after the other, after its connection or settings have changed. */
    workspaceChanged(workspaceId: WorkspaceId): void {
      const drawAll = inTurn(workspaceId, async (isLatest) => {
        for (const owner of [...opened.values()]) {
          if (!isLatest()) return;
          if (owner.workspaceId !== workspaceId) continue;
          // A drawing that changes nothing may never yield to other work.
          await nextTurn();
          await persistently(owner, (actor) => draw(actor));
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
