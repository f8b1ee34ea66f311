import type { WorkspaceSettings, WorkspaceSettingsStore } from '../../installations/settings.ts';
import type { CardReader } from '../../service/cache/card-reader.ts';
import type { ServiceAccess } from '../../service/service-access.ts';
import type { ShownMessage, Thread } from '../../store/watches.ts';
import type { Watching } from '../../watching/begin-watching.ts';
import type { Conversations } from '../client/conversations.ts';
import { isDirectMessage } from '../client/direct-messages.ts';
import { type AccessControl, type AllowedUser, actorOf } from '../surface/access.ts';
import {
  type ActionArgs,
  channelOf,
  isInPaneOfOwn,
  pressedValue,
  replyPrivately,
  stringOf,
  threadTsOf,
  workspaceOf,
} from '../surface/replies.ts';
import { buildNotice, updateView } from '../surface/views.ts';
import { escapeMrkdwn } from '../text/escape.ts';
import { CARD, WATCHING } from '../words/card.ts';
import { REPLY_TITLE } from '../words/errors.ts';
import type { CardDisplay } from './card-messages.ts';
import { titleOf } from './card-text.ts';
import { buildWatchingReply } from './change-message.ts';
import { type RefreshValue, readRefreshValue } from './menu.ts';
import { sharerOf } from './message-with-card.ts';

type WatchButtonsDeps = {
  settings: WorkspaceSettingsStore;
  conversations: Conversations;
  cards: CardReader;
  service: ServiceAccess;
  access: AccessControl;
  watching: Watching;
};

export const createWatchButtons = (deps: WatchButtonsDeps) => ({
  /**
   * Watches a card for the person who pressed the button: in the thread of the message that shows it if the app can post
   * there, otherwise in direct messages. A message that shows the card is kept current from then on.
   */
  async watch(args: ActionArgs, { workspaceId, person }: AllowedUser): Promise<void> {
    const { cardId, preview } = pressedCard(args);
    const settings = await deps.settings.get(workspaceId);
    const message = shownMessage(args, preview);
    const threadHere = threadOf(args);
    const isPosted = threadHere && (await canPostIn(deps, args, threadHere.channel, settings));
    const thread = isPosted ? threadHere : undefined;
    // Another replica may have drawn what the person saw.
    const seen = await deps.cards.load(workspaceId, cardId);
    const known = seen && 'card' in seen ? seen : undefined;
    const watcher = { workspaceId, cardId, userId: person.id };
    const isNew = await deps.watching.watch({ ...watcher, known, thread, message });
    const title = known ? titleOf(known.card) : CARD.untitled(cardId);
    const text = isNew
      ? await wordsForNew(deps, args, settings, { title: escapeMrkdwn(title), thread })
      : WATCHING.already(escapeMrkdwn(title));
    await replyPrivately(args, text, buildWatchingReply(cardId, title, text));
  },

  /**
   * Stops telling the person. If they ask in a thread, nothing is posted there any more, and its other watchers get
   * direct messages.
   */
  async stop(args: ActionArgs, { workspaceId, person }: AllowedUser): Promise<void> {
    const { cardId } = pressedCard(args);
    const thread = threadTsOf(args) === undefined ? undefined : threadOf(args);
    const watcher = { workspaceId, cardId, userId: person.id };
    const isElsewhere = await deps.watching.stop({ ...watcher, thread });
    const inThread = isElsewhere ? WATCHING.stoppedOnlyInThread : WATCHING.stoppedInThread;
    const text = thread ? inThread : WATCHING.stopped;
    const { view } = args.body;
    // The modal that answered Watch in a pane or the Home tab.
    if (view?.type !== 'modal') return replyPrivately(args, text);
    const instead = buildNotice({ title: REPLY_TITLE, text });
    await updateView(args.client, { id: view.id }, instead);
  },
});

async function wordsForNew(
  deps: WatchButtonsDeps,
  args: ActionArgs,
  { muted }: WorkspaceSettings,
  { title, thread }: { title: string; thread: Thread | undefined },
): Promise<string> {
  if (muted) return WATCHING.muted(title);
  try {
    await deps.service.open(workspaceOf(args.context));
    return (thread ? WATCHING.added.inThread : WATCHING.added.directly)(title);
  } catch (error) {
    return WATCHING.unreadable(title, await deps.access.explainServiceError(actorOf(args), error));
  }
}

/** Whether changes may be posted in a channel, as far as can be known now. */
async function canPostIn(
  deps: WatchButtonsDeps,
  args: ActionArgs,
  channel: string,
  { shareExternally }: WorkspaceSettings,
): Promise<boolean> {
  const workspaceId = workspaceOf(args.context);
  const { muted } = await deps.settings.ofChannels.get(workspaceId, channel);
  if (muted) return false;
  const external = await deps.conversations.isExternal(args.client, { workspaceId, channel });
  // If Slack doesn't describe the channel to the app, the app can't post there either.
  return external === undefined ? false : !external || shareExternally;
}

/**
 * The message of the button or pane, if it shows the card under a link, or because someone shared it. Slack doesn't say
 * what else is in a message with links (docs.slack.dev/messaging/unfurling-links-in-messages).
 *
 * @param preview how the card is shown, if the button is in a preview
 */
function shownMessage(
  args: ActionArgs,
  preview: RefreshValue | undefined,
): ShownMessage | undefined {
  const { container } = args.body;
  const channel = channelOf(args);
  const ts = stringOf(container?.message_ts);
  if (!channel || !ts || container?.is_ephemeral === true) return undefined;
  const by = sharerOf(args);
  if (by !== undefined) return { channel, ts, shown: { kind: 'shared', by } satisfies CardDisplay };
  if (isInPaneOfOwn(args)) return { channel, ts, shown: { kind: 'own' } satisfies CardDisplay };
  const link = stringOf(container?.app_unfurl_url);
  if (!preview || !link) return undefined;
  const { detail, moreLinks, isExternal } = preview;
  const shown = { kind: 'preview' as const, postedAs: link, detail, moreLinks, isExternal };
  return { channel, ts, shown: shown satisfies CardDisplay };
}

/** The value is the card's ID or, in the menu of a preview, also how that is shown. */
function pressedCard(args: ActionArgs): {
  cardId: string;
  preview: RefreshValue | undefined;
} {
  const value = pressedValue(args.action) ?? '';
  const preview = readRefreshValue(value);
  return { cardId: preview?.cardId ?? value, preview };
}

/** The thread that belongs to the message of a button; undefined where only one person sees it. */
function threadOf(args: ActionArgs): Thread | undefined {
  const { container } = args.body;
  const channel = channelOf(args);
  const ts = stringOf(container?.thread_ts) ?? stringOf(container?.message_ts);
  if (!channel || !ts || container?.is_ephemeral === true || isDirectMessage(channel)) {
    return undefined;
  }
  return { channel, ts };
}
