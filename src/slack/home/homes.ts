import type { HomeView } from '@slack/types';
import { LRUCache } from 'lru-cache';
import { atMost, forAtMost } from '../../bounds.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { DesignRequest } from '../../requests/request.ts';
import { outcomeOfCall, slackErrorCode, slackRetryAt } from '../client/errors.ts';
import type { SlackClients } from '../client/slack-client.ts';
import type { SlackDeps } from '../deps.ts';
import { type AccessCheck, type Actor, checkAccess, checkCachedAccess } from '../listener/guard.ts';
import type { AdminToAsk } from '../words/errors.ts';
import { homeOf, staleCards } from './home-data.ts';
import { buildHome, type HomeProps } from './home-view.ts';

type HomeDeps = Pick<
  SlackDeps,
  | 'requests'
  | 'watches'
  | 'unfinishedForms'
  | 'keys'
  | 'cards'
  | 'cardLinks'
  | 'people'
  | 'adminToAsk'
  | 'settings'
  | 'now'
  | 'log'
> & {
  clients: SlackClients;
  /** Where people get help: an https or mailto URL. */
  supportUrl: string | undefined;
};

/** Draws people's Home tabs. */
export type Homes = {
  /**
   * Draws a tab that someone has opened, at once from what is known, and once more after its cards were read again.
   *
   * @throws Slack's error if it may work later
   */
  open(actor: Actor): Promise<void>;
  /** Draws a tab again after a button in it was pressed. Never rejects. */
  redraw(actor: Actor): Promise<void>;
  /** Call it after a request has changed: if its author opened their tab lately, it is drawn again. */
  requestChanged(request: DesignRequest): void;
  /** The same for everyone in a workspace, after its connection or settings have changed. */
  workspaceChanged(workspaceId: WorkspaceId): void;
  /** Resolves when nothing is being drawn. */
  idle(): Promise<void>;
};

/** How long a tab is kept current after it was opened or used, in ms. Slack doesn't say when it is left. */
const KEPT_CURRENT_MS = 10 * 60_000;
const MAX_KEPT_CURRENT = 10_000;
/** Cards that are read again for an opened tab. They are read one by one, with calls that nobody else needs. */
const CARDS_READ_MAX = 10;
/** Tabs whose cards are read at the same time. The others show what is known. */
const REFRESHES_AT_ONCE = 4;
const MAX_REMEMBERED = 1_000;

type Opened = {
  workspaceId: WorkspaceId;
  userId: string;
  /** Of the view that was published last, by this process. */
  hash: string | undefined;
  /** The view that was published last, to publish only changes. */
  shown: string | undefined;
  drawing: Promise<HomeProps | undefined> | undefined;
  /** Whom to ask; found after the first time. */
  admin: AdminToAsk;
  isOutdated: boolean;
  isRefreshing: boolean;
};

export function createHomes(deps: HomeDeps): Homes {
  const { clients, cards, adminToAsk, now, log } = deps;
  const opened = new LRUCache<string, Opened>({
    ...atMost(MAX_KEPT_CURRENT),
    ...forAtMost(KEPT_CURRENT_MS, now),
  });
  const refused = new LRUCache<string, true>(atMost(MAX_REMEMBERED));
  const running = new Set<Promise<unknown>>();
  let refreshes = 0;

  const keyOf = ({ workspaceId, userId }: Pick<Opened, 'workspaceId' | 'userId'>) =>
    `${workspaceId}/${userId}`;

  function entryOf({ workspaceId, userId }: Actor): Opened {
    const key = keyOf({ workspaceId, userId });
    const entry = opened.get(key) ?? {
      workspaceId,
      userId,
      hash: undefined,
      shown: undefined,
      drawing: undefined,
      admin: undefined,
      isOutdated: false,
      isRefreshing: false,
    };
    // Also renews its lifetime.
    opened.set(key, entry);
    return entry;
  }

  async function contentFor(entry: Opened, checked: AccessCheck): Promise<HomeProps> {
    const { admin } = entry;
    return 'denied' in checked
      ? { denied: checked.denied, admin }
      : homeOf(deps, checked.user, admin);
  }

  /** From Slack's last answer about the person, unless that is old. */
  async function checkFast(actor: Actor): Promise<AccessCheck> {
    return (
      (await checkCachedAccess(deps, actor, 'users', 'recent')) ?? checkAccess(deps, actor, 'users')
    );
  }

  /** Several draws of one tab: one at a time, and none from older data than the last. */
  function draw(actor: Actor, entry: Opened, { always }: { always: boolean }) {
    entry.isOutdated = true;
    entry.drawing ??= drawUntilCurrent(actor, entry, always).finally(() => {
      entry.drawing = undefined;
    });
    return entry.drawing;
  }

  async function drawUntilCurrent(actor: Actor, entry: Opened, always: boolean) {
    let props: HomeProps | undefined;
    let isFirst = always;
    while (entry.isOutdated) {
      entry.isOutdated = false;
      props = await contentFor(entry, await checkFast(actor));
      const view = buildHome(props, deps.supportUrl);
      const shown = JSON.stringify(view);
      if (shown !== entry.shown || isFirst) await publish(actor, entry, view, shown);
      isFirst = false;
    }
    return props;
  }

  /** Another replica may have published since, from older or newer data: that view is replaced by one from current data. */
  async function publish(actor: Actor, entry: Opened, view: HomeView, shown: string) {
    const { hash } = entry;
    try {
      const published = await actor.client.views.publish({
        user_id: actor.userId,
        view,
        ...(hash === undefined ? {} : { hash }),
      });
      entry.hash = published.view?.hash;
      entry.shown = shown;
    } catch (error) {
      if (slackErrorCode(error) === 'hash_conflict' && hash !== undefined) {
        entry.hash = undefined;
        entry.shown = undefined;
        entry.isOutdated = true;
        return;
      }
      if (outcomeOfCall(error) !== 'refused') throw error;
      logOnce(actor.workspaceId, error);
    }
  }

  function logOnce(workspaceId: WorkspaceId, error: unknown): void {
    const code = slackErrorCode(error);
    const once = `${workspaceId}/${code}`;
    if (refused.has(once)) return;
    refused.set(once, true);
    log.warn(
      { err: error, workspace: workspaceId, code },
      code === 'not_enabled' ? HOME_TAB_OFF : REFUSED,
    );
  }

  /** Reads what a drawn tab lacks: who may use the app, whom to ask, and the cards' statuses. */
  async function refresh(actor: Actor, entry: Opened, props: HomeProps): Promise<void> {
    if (entry.isRefreshing || refreshes >= REFRESHES_AT_ONCE) return;
    entry.isRefreshing = true;
    refreshes += 1;
    try {
      await checkAccess(deps, actor, 'users');
      await findAdmin(actor, entry, props);
      await readCards(actor, props);
      await draw(actor, entry, { always: false });
    } finally {
      entry.isRefreshing = false;
      refreshes -= 1;
    }
  }

  /** Finds whom to ask, unless nothing has to be asked. */
  async function findAdmin(
    { client, workspaceId, userId }: Actor,
    entry: Opened,
    props: HomeProps,
  ) {
    const isNeeded = 'denied' in props || props.key?.state !== 'active';
    if (isNeeded) entry.admin = await adminToAsk(client, workspaceId, userId);
  }

  /** Ends at the first card that can't be read, since the others couldn't be either. */
  async function readCards({ workspaceId }: Actor, props: HomeProps): Promise<void> {
    const stale = await staleCards(deps, workspaceId, props);
    for (const cardId of stale.slice(0, CARDS_READ_MAX)) {
      try {
        await cards.read(workspaceId, cardId, { class: 'watch' });
      } catch (error) {
        log.debug({ err: error }, 'could not read a card for a Home tab');
        return;
      }
    }
  }

  /** In the background. If Slack limits it, it is done later; if it fails otherwise, the tab shows what was known. */
  function later(entry: Opened, work: () => Promise<unknown>): Promise<void> {
    const done: Promise<void> = work()
      .then(
        () => undefined,
        (error) => {
          log.info({ err: error }, 'could not draw a Home tab again');
          const at = slackRetryAt(error, now());
          if (at) setTimeout(drawIfOpened, at.getTime() - now().getTime(), entry).unref();
        },
      )
      .finally(() => running.delete(done));
    running.add(done);
    return done;
  }

  function drawIfOpened(entry: Opened): void {
    if (opened.has(keyOf(entry))) void later(entry, () => drawAndRefresh(entry));
  }

  async function drawAndRefresh(entry: Opened): Promise<void> {
    const { workspaceId, userId } = entry;
    const actor = { workspaceId, userId, client: await clients.of(workspaceId) };
    const props = await draw(actor, entry, { always: false });
    if (props) await refresh(actor, entry, props);
  }

  return {
    async open(actor) {
      const entry = entryOf(actor);
      const props = await draw(actor, entry, { always: true });
      if (props) void later(entry, () => refresh(actor, entry, props));
    },

    redraw(actor) {
      const entry = entryOf(actor);
      return later(entry, async () => {
        const props = await draw(actor, entry, { always: true });
        if (props) void later(entry, () => refresh(actor, entry, props));
      });
    },

    requestChanged(request) {
      const entry = opened.get(keyOf(request));
      if (entry) void later(entry, () => drawAndRefresh(entry));
    },

    workspaceChanged(workspaceId) {
      for (const entry of opened.values()) {
        if (entry.workspaceId === workspaceId) void later(entry, () => drawAndRefresh(entry));
      }
    },

    async idle() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

const REFUSED = 'Slack refused a Home tab';
const HOME_TAB_OFF = `${REFUSED}: turn on features.app_home.home_tab_enabled in the app's manifest`;
