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
import type { AccessControl, Allowed } from '../surface/access.ts';
import type { Press } from '../surface/interactions.ts';
import type { ModalToOpen } from '../surface/open-modal.ts';
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
import type { CardFacts, CardViews } from './card-view.ts';
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
  async refresh(press: Press): Promise<void> {
    const button = readRefreshValue(press.value);
    if (!button) return;
    const { cardId, isExternal } = button;
    if (press.from === 'pane') return deps.details.refresh(press, button);
    const reading = await deps.cardViews.readAgain(press, cardId, isExternal);
    if ('why' in reading) return press.reply(reading.why);
    const reader = { ...press, callClass: 'person' as const };
    await drawAgain(deps, press, await deps.cardViews.describe(reader, cardId, reading), button);
    if (reading.note) await press.reply(reading.note);
  },

  /** Posts the card in the channel, if everyone there may see it. */
  async share(press: Allowed<Press>): Promise<void> {
    const { client, workspaceId, person, channelId: channel } = press;
    const cardId = typedCardId(press.value ?? '', deps.cards);
    if (cardId === undefined || !channel) return;
    const isSeenOutside = await deps.conversations.isSeenOutside(client, { workspaceId, channel });
    // If Slack doesn't describe the channel to the app, the app can't post there either.
    if (isSeenOutside === undefined) return press.reply(SHARE.cannotPost);
    if (isSeenOutside) return press.reply(NOT_SHOWN_EXTERNALLY);
    const facts = await deps.cardViews.read(press, cardId);
    if (typeof facts === 'string') return press.reply(facts);
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
      await press.reply(SHARE.cannotPost);
    }
  },

  /**
   * Shows a whole card in a modal, and so only to the person who asked. An ephemeral message would
   * need the app to be in the channel, or a `response_url`, and would vanish with the next reload.
   */
  showAll({ value = '' }: Press): ModalToOpen {
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
  async watch(press: Allowed<Press>): Promise<void> {
    const { workspaceId, person } = press;
    const { cardId, preview } = pressedCard(press);
    const settings = await deps.settings.get(workspaceId);
    const threadHere = threadOf(press);
    const isPosted = threadHere && (await canPostIn(deps, press, threadHere.channel, settings));
    const thread = isPosted ? threadHere : undefined;
    // Another replica may have drawn what the person saw.
    const seen = await deps.cards.load(workspaceId, cardId);
    const known = seen && 'card' in seen ? seen : undefined;
    const title = known ? titleOf(known.card) : CARD.untitled(cardId);
    const shown = escapeMrkdwn(title);
    const message = shownMessage(press, preview, deps.cards.urlOf(cardId));
    const watcher = { workspaceId, cardId, userId: person.id };
    const text = (await deps.watching.watch({ ...watcher, known, thread, message }))
      ? await wordsForNew(deps, press, settings, { title: shown, thread })
      : WATCHING.already(shown);
    await press.reply(text, buildWatchingReply(cardId, title, text));
  },

  /**
   * Stops telling the person. If they ask in a thread, nothing is posted there any more, and its other watchers get
   * direct messages.
   */
  async stop(press: Allowed<Press>): Promise<void> {
    const { client, workspaceId, person, view, message } = press;
    const { cardId } = pressedCard(press);
    const thread = message?.threadTs === undefined ? undefined : threadOf(press);
    const watcher = { workspaceId, cardId, userId: person.id };
    const isElsewhere = await deps.watching.stop({ ...watcher, thread });
    const inThread = isElsewhere ? WATCHING.stoppedOnlyInThread : WATCHING.stoppedInThread;
    const text = thread ? inThread : WATCHING.stopped;
    // The modal that answered Watch in a pane or the Home tab.
    if (view?.type !== 'modal') return press.reply(text);
    await updateView(client, { id: view.id }, buildNotice({ title: REPLY_TITLE, text }));
  },
});

async function drawAgain(
  deps: CardButtonsDeps,
  press: Press,
  facts: CardFacts,
  button: RefreshValue,
): Promise<void> {
  const { workspaceId, client } = press;
  const isInOurs = press.entity?.isOurs === true;
  const message = shownMessage(press, button, facts.url);
  const by = message?.shown.kind === 'shared' ? message.shown.by : undefined;
  // A response_url can replace its message even if the app has left the channel.
  if (!message || (by !== undefined && !isInOurs)) return replaceMessage(press, facts, button, by);
  const { shown, ...place } = message;
  const isPreview = shown.kind === 'preview';
  if (isPreview && deps.unfurls.isLimited(workspaceId)) return press.reply(REFRESH.slackIsBusy);
  try {
    // What stands above a Work Object stays.
    const text = isInOurs ? press.message?.text : undefined;
    const at = { workspaceId, ...place };
    const isShown = await deps.redraw(client, at, facts, shown, text);
    if (!isShown) await press.reply(REFRESH.notUpdated);
  } catch (error) {
    if (!(error instanceof RetryLaterError)) throw error;
    await press.reply(REFRESH.slackIsBusy);
  }
}

function replaceMessage(
  { respond, reply, message }: Press,
  facts: CardFacts,
  { cardId, detail }: RefreshValue,
  by: string | undefined,
): Promise<void> {
  if (!respond) return reply(REFRESH.notUpdated);
  const isPrivate = message?.isEphemeral === true;
  const view = { ...facts, detail, linksFiles: isPrivate };
  const share = isPrivate ? shareButton(cardId, titleOf(facts.card)) : [];
  const more = by === undefined ? share : sharedBy(by);
  return sendCardMessage(view, more, (shown) => respond({ replace_original: true, ...shown }));
}

async function wordsForNew(
  deps: CardButtonsDeps,
  press: Press,
  { muted }: WorkspaceSettings,
  { title, thread }: { title: string; thread: Thread | undefined },
): Promise<string> {
  if (muted) return WATCHING.muted(title);
  try {
    await deps.service.open(press.workspaceId);
    return (thread ? WATCHING.added.inThread : WATCHING.added.directly)(title);
  } catch (error) {
    return WATCHING.unreadable(title, await deps.access.explainServiceError(press, error));
  }
}

/** Whether changes may be posted in a channel, as far as can be known now. */
async function canPostIn(
  deps: CardButtonsDeps,
  { client, workspaceId }: Press,
  channel: string,
  { shareExternally }: WorkspaceSettings,
): Promise<boolean> {
  const { muted } = await deps.settings.ofChannels.get(workspaceId, channel);
  if (muted) return false;
  const external = await deps.conversations.isExternal(client, { workspaceId, channel });
  // If Slack doesn't describe the channel to the app, the app can't post there either.
  return external !== undefined && (!external || shareExternally);
}

/** The value is the card's ID or, in the menu of a preview, also how that is shown. */
function pressedCard({ value = '' }: Press) {
  const preview = readRefreshValue(value);
  return { cardId: preview?.cardId ?? value, preview };
}

/** The thread that belongs to the message of a button; undefined where only one person sees it. */
function threadOf({ message }: Press): Thread | undefined {
  if (!message || message.isEphemeral || isDirectMessage(message.channel)) return undefined;
  const { channel, ts, threadTs = ts } = message;
  return { channel, ts: threadTs };
}
