import type { Cards } from '../../design-service.ts';
import type { WorkspaceSettings, WorkspaceSettingsStore } from '../../installations/settings.ts';
import { RetryLaterError } from '../../jobs/retry-later.ts';
import { typedCardId } from '../../references.ts';
import type { ServiceAccess } from '../../service/service-access.ts';
import type { Thread } from '../../store/watches.ts';
import type { Watching } from '../../watching/begin-watching.ts';
import type { Conversations } from '../client/conversations.ts';
import { isDirectMessage } from '../client/direct-messages.ts';
import { outcomeOfCall } from '../client/errors.ts';
import { type AccessControl, type AllowedUser, actorOf } from '../surface/access.ts';
import type { ModalToOpen } from '../surface/open-modal.ts';
import {
  type ActionArgs,
  channelOf,
  isInPane,
  isOfOwnWorkObject,
  pressedValue,
  replyPrivately,
  stringOf,
  threadTsOf,
  workspaceOf,
} from '../surface/replies.ts';
import { buildModal, buildNotice, updateView } from '../surface/views.ts';
import { escapeMrkdwn } from '../text/escape.ts';
import { CARD, NOT_SHOWN_EXTERNALLY, REFRESH, SHARE, WATCHING, WHOLE_CARD } from '../words/card.ts';
import { REPLY_TITLE } from '../words/errors.ts';
import {
  buildCardBlocks,
  sendCardMessage,
  shareButton,
  showsPicture,
  withPicturesIfAccepted,
} from './card-blocks.ts';
import { titleOf } from './card-text.ts';
import { type CardFacts, type CardViews, isPrivate } from './card-view.ts';
import { buildWatchingReply } from './change-message.ts';
import type { Details } from './details.ts';
import { type RefreshValue, readRefreshValue } from './menu.ts';
import { type Redraw, sharedBy, shownMessage } from './redraw.ts';
import type { Unfurls } from './send-unfurls.ts';
import { postWithCard, type WorkObjects } from './work-objects.ts';

type CardButtonsDeps = {
  settings: WorkspaceSettingsStore;
  conversations: Conversations;
  cards: Cards;
  service: ServiceAccess;
  access: AccessControl;
  cardViews: CardViews;
  unfurls: Unfurls;
  workObjects: WorkObjects;
  redraw: Redraw;
  details: Details;
  watching: Watching;
};

/** What a card's buttons and menu entries do. */
export const createCardButtons = (deps: CardButtonsDeps) => ({
  /** Reads a card again and updates it where it is shown: under its link, or in our message. */
  async refresh(args: ActionArgs, { workspaceId }: AllowedUser): Promise<void> {
    const button = readRefreshValue(pressedValue(args.action));
    if (!button) return;
    const { cardId, isExternal } = button;
    if (isInPane(args)) return deps.details.refresh(args, button);
    const reading = await deps.cardViews.readAgain(args, cardId, isExternal);
    if ('why' in reading) return replyPrivately(args, reading.why);
    const reader = { client: args.client, workspaceId, callClass: 'person' as const };
    await drawAgain(deps, args, await deps.cardViews.describe(reader, cardId, reading), button);
    if (reading.note) await replyPrivately(args, reading.note);
  },

  /** Posts the card in the channel, if everyone there may see it. */
  async share(args: ActionArgs, { workspaceId, person }: AllowedUser): Promise<void> {
    const { action, body, client } = args;
    const cardId = typedCardId(pressedValue(action) ?? '', deps.cards);
    const channel = body.channel?.id;
    if (cardId === undefined || !channel) return;
    const isSeenOutside = await deps.conversations.isSeenOutside(client, { workspaceId, channel });
    // If Slack doesn't describe the channel to the app, the app can't post there either.
    if (isSeenOutside === undefined) return replyPrivately(args, SHARE.cannotPost);
    if (isSeenOutside) return replyPrivately(args, NOT_SHOWN_EXTERNALLY);
    const facts = await deps.cardViews.read(actorOf(args), cardId);
    if (typeof facts === 'string') return replyPrivately(args, facts);
    const view = { ...facts, detail: 'small' as const };
    const below = sharedBy(person.id);
    const workObject = await deps.workObjects.part({ workspaceId, view, blocks: below });
    try {
      await sendCardMessage(view, below, async (message) => {
        const { ts } = await postWithCard(client, { channel }, { ...message, workObject });
        if (!facts.isWatched || !facts.readAt || !ts) return;
        const shown = { kind: 'shared' as const, by: person.id };
        const posted = { channel, ts, shown };
        await deps.watching.keepCurrent(
          { workspaceId, cardId },
          { message: posted, readAt: facts.readAt },
        );
      });
    } catch (error) {
      if (outcomeOfCall(error) !== 'refused') throw error;
      await replyPrivately(args, SHARE.cannotPost);
    }
  },

  /**
   * Shows a whole card in a modal, and so only to the person who asked. An ephemeral message would
   * need the app to be in the channel, or a `response_url`, and would vanish with the next reload.
   */
  showAll({ action }: ActionArgs): ModalToOpen {
    const value = pressedValue(action) ?? '';
    const { title } = WHOLE_CARD;
    return {
      title,
      async fill(user, modal) {
        await modal.load();
        const cardId = typedCardId(value, deps.cards);
        if (cardId === undefined) return void (await modal.draw(SHARE.gone));
        const facts = await deps.cardViews.read(user, cardId);
        if (typeof facts === 'string') return void (await modal.draw(facts));
        const view = { ...facts, detail: 'all' as const };
        await withPicturesIfAccepted(showsPicture(view), (withPicture) =>
          modal.draw(buildModal({ title, blocks: buildCardBlocks({ ...view, withPicture }) })),
        );
      },
    };
  },

  /**
   * Watches a card for the person who pressed the button: in the thread of the message that shows it if the app can post
   * there, otherwise in direct messages. A message that shows the card is kept current from then on.
   */
  async watch(args: ActionArgs, { workspaceId, person }: AllowedUser): Promise<void> {
    const { cardId, preview } = pressedCard(args);
    const settings = await deps.settings.get(workspaceId);
    const threadHere = threadOf(args);
    const isPosted = threadHere && (await canPostIn(deps, args, threadHere.channel, settings));
    const thread = isPosted ? threadHere : undefined;
    // Another replica may have drawn what the person saw.
    const seen = await deps.cards.load(workspaceId, cardId);
    const known = seen && 'card' in seen ? seen : undefined;
    const title = known ? titleOf(known.card) : CARD.untitled(cardId);
    const shown = escapeMrkdwn(title);
    const message = shownMessage(args, preview, deps.cards.urlOf(cardId));
    const watcher = { workspaceId, cardId, userId: person.id };
    const text = (await deps.watching.watch({ ...watcher, known, thread, message }))
      ? await wordsForNew(deps, args, settings, { title: shown, thread })
      : WATCHING.already(shown);
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
    await updateView(args.client, { id: view.id }, buildNotice({ title: REPLY_TITLE, text }));
  },
});

async function drawAgain(
  deps: CardButtonsDeps,
  args: ActionArgs,
  facts: CardFacts,
  button: RefreshValue,
): Promise<void> {
  const message = shownMessage(args, button, facts.url);
  const by = message?.shown.kind === 'shared' ? message.shown.by : undefined;
  // Also where the app isn't in the channel any more, a reply may replace the message that it answers.
  if (!message || (by !== undefined && !isOfOwnWorkObject(args))) {
    const view = { ...facts, detail: button.detail, linksFiles: isPrivate(args) };
    const share = isPrivate(args) ? shareButton(button.cardId, titleOf(facts.card)) : [];
    const more = by === undefined ? share : sharedBy(by);
    return sendCardMessage(view, more, (shown) =>
      args.respond({ replace_original: true, ...shown }),
    );
  }
  const workspaceId = workspaceOf(args.context);
  const { shown, ...place } = message;
  const isPreview = shown.kind === 'preview';
  if (isPreview && deps.unfurls.isLimited(workspaceId))
    return replyPrivately(args, REFRESH.slackIsBusy);
  try {
    // What stands above a Work Object stays.
    const text = isOfOwnWorkObject(args) ? args.body.message?.text : undefined;
    const at = { workspaceId, ...place };
    const isShown = await deps.redraw(args.client, at, facts, shown, text);
    if (!isShown) await replyPrivately(args, REFRESH.notUpdated);
  } catch (error) {
    if (!(error instanceof RetryLaterError)) throw error;
    await replyPrivately(args, REFRESH.slackIsBusy);
  }
}

async function wordsForNew(
  deps: CardButtonsDeps,
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
  deps: CardButtonsDeps,
  args: ActionArgs,
  channel: string,
  { shareExternally }: WorkspaceSettings,
): Promise<boolean> {
  const workspaceId = workspaceOf(args.context);
  const { muted } = await deps.settings.ofChannels.get(workspaceId, channel);
  if (muted) return false;
  const external = await deps.conversations.isExternal(args.client, { workspaceId, channel });
  // If Slack doesn't describe the channel to the app, the app can't post there either.
  return external !== undefined && (!external || shareExternally);
}

/** The value is the card's ID or, in the menu of a preview, also how that is shown. */
function pressedCard({ action }: ActionArgs) {
  const value = pressedValue(action) ?? '';
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
