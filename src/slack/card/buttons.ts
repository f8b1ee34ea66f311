import type { Cards } from '../../design-service.ts';
import type { WorkspaceSettingsStore } from '../../installations/settings.ts';
import { RetryLaterError } from '../../jobs/retry-later.ts';
import { typedCardId } from '../../references.ts';
import type { ServiceAccess } from '../../service/service-access.ts';
import type { Thread } from '../../store/watches.ts';
import type { Watching } from '../../watching/begin-watching.ts';
import type { Conversations } from '../client/conversations.ts';
import { isDirectMessage } from '../client/direct-messages.ts';
import { outcomeOfCall } from '../client/errors.ts';
import { postMessage, sendRichest, waysOf, withPicturesOrNot } from '../client/post-message.ts';
import type { AccessControl, Allowed } from '../interaction/access.ts';
import type { Press } from '../interaction/interactions.ts';
import type { ModalToOpen } from '../interaction/open-modal.ts';
import { buildModal, buildNotice, updateView } from '../interaction/views.ts';
import { escapeMrkdwn } from '../text/escape.ts';
import { CARD, NOT_SHOWN_EXTERNALLY, REFRESH, SHARE, WATCHING } from '../words/card.ts';
import { FORM } from '../words/request-form.ts';
import { buildCardBlocks, buildCardMessage, shareButton, showsPicture } from './card-blocks.ts';
import type { CardMessages } from './card-messages.ts';
import { titleOf } from './card-text.ts';
import type { CardFacts, CardViews } from './card-view.ts';
import { buildWatchingReply } from './change-message.ts';
import type { Details } from './details.ts';
import { type RefreshValue, readRefreshValue, sharedBy, shownMessage } from './menu.ts';

export function createCardButtons(deps: {
  settings: WorkspaceSettingsStore;
  conversations: Conversations;
  cards: Cards;
  service: ServiceAccess;
  access: AccessControl;
  cardViews: CardViews;
  cardMessages: CardMessages;
  details: Details;
  watching: Watching;
}) {
  const { settings, conversations, cards, service, access } = deps;
  const { cardViews, cardMessages, details, watching } = deps;

  /** @returns why it can't be drawn */
  async function drawAgain(press: Press, facts: CardFacts, button: RefreshValue) {
    const { client, workspaceId, entity, message } = press;
    const drawn = shownMessage(press, button, facts.url);
    const by = drawn?.shown.kind === 'shared' ? drawn.shown.by : undefined;
    // A response_url can replace its message even if the app has left the channel.
    if (!drawn || (by !== undefined && !entity?.isOurs)) {
      return replaceMessage(press, facts, button, by);
    }
    const { shown, ...place } = drawn;
    if (shown.kind === 'preview' && cardMessages.isLimited(workspaceId)) return REFRESH.slackIsBusy;
    // What stands above a Work Object stays.
    const text = entity?.isOurs ? message?.text : undefined;
    const at = { workspaceId, ...place };
    const isShown = await cardMessages.redraw(client, at, facts, shown, text);
    return isShown ? undefined : REFRESH.notUpdated;
  }

  async function wordsForNew(press: Press, title: string, isInThread: boolean): Promise<string> {
    try {
      await service.open(press.workspaceId);
      return (isInThread ? WATCHING.added.inThread : WATCHING.added.directly)(title);
    } catch (error) {
      return WATCHING.unreadable(title, await access.explainServiceError(press, error));
    }
  }

  async function canPostIn({ client, workspaceId }: Press, channel: string): Promise<boolean> {
    const { muted } = await settings.ofChannels.get(workspaceId, channel);
    if (muted) return false;
    const external = await conversations.isExternal(client, { workspaceId, channel });
    // If Slack doesn't describe the channel to the app, the app can't post there either.
    if (external === undefined) return false;
    return !external || conversations.allowsExternal(workspaceId);
  }

  return {
    async refresh(press: Press): Promise<void> {
      const button = readRefreshValue(press.value);
      if (!button) return;
      const { cardId, isExternal } = button;
      if (press.from === 'pane') return details.refresh(press, button);
      const reading = await cardViews.readAgain(press, cardId, isExternal);
      if ('why' in reading) return press.reply(reading.why);
      const facts = await cardViews.addNames(press, cardId, reading);
      const problem = await drawAgain(press, facts, button).catch((error: unknown) => {
        if (error instanceof RetryLaterError) return REFRESH.slackIsBusy;
        throw error;
      });
      if (problem) await press.reply(problem);
      if (reading.note) await press.reply(reading.note);
    },

    async share(press: Allowed<Press>): Promise<void> {
      const { client, workspaceId, userId, channelId: channel, value = '' } = press;
      const cardId = typedCardId(value, cards);
      if (cardId === undefined || !channel) return;
      const leaks = await conversations.wouldLeakExternally(client, { workspaceId, channel });
      if (leaks === undefined) return press.reply(SHARE.cannotPost);
      if (leaks) return press.reply(NOT_SHOWN_EXTERNALLY);
      const facts = await cardViews.readOrExplain(press, cardId);
      if (typeof facts === 'string') return press.reply(facts);
      const message = await cardMessages.messageWith(workspaceId, facts, sharedBy(userId));
      const posted = await postMessage(client, channel, message).catch((error: unknown) => {
        if (outcomeOfCall(error) === 'refused') return 'refused' as const;
        throw error;
      });
      if (posted === 'refused') return press.reply(SHARE.cannotPost);
      const { isWatched, readAt } = facts;
      if (!isWatched || !readAt || !posted) return;
      const shown = { channel, ts: posted.ts, shown: { kind: 'shared' as const, by: userId } };
      await watching.keepCurrent({ workspaceId, cardId }, { message: shown, readAt });
    },

    /** In a modal: an ephemeral message needs the app in the channel, or a `response_url`, and vanishes with a reload. */
    showAll({ value = '' }: Press): ModalToOpen {
      const cardId = typedCardId(value, cards);
      const title = CARD.details;
      return {
        title,
        async fill(user, modal) {
          await modal.load();
          const facts = cardId ? await cardViews.readOrExplain(user, cardId) : SHARE.gone;
          if (typeof facts === 'string') return void (await modal.draw(facts));
          const view = { ...facts, detail: 'all' as const };
          const blocks = withPicturesOrNot(showsPicture(view), (withPicture) =>
            buildModal({ title, blocks: buildCardBlocks({ ...view, withPicture }) }),
          );
          await sendRichest({ blocks }, modal.draw);
        },
      };
    },

    /** In the thread of the message that shows the card, if the app can post there; otherwise in direct messages. */
    async watch(press: Allowed<Press>): Promise<void> {
      const { workspaceId, userId } = press;
      const { cardId, preview } = pressedCard(press);
      const threadHere = threadOf(press);
      const isPosted = threadHere && (await canPostIn(press, threadHere.channel));
      const thread = isPosted ? threadHere : undefined;
      // Another replica may have read it, so it may not be in memory here.
      const seen = await cards.load(workspaceId, cardId);
      const known = seen && 'card' in seen ? seen : undefined;
      const title = known ? titleOf(known.card) : CARD.untitled(cardId);
      const message = shownMessage(press, preview, cards.urlOf(cardId));
      const { muted } = await settings.get(workspaceId);
      const watcher = { workspaceId, cardId, userId };
      const isNew = await watching.watch({ ...watcher, known, thread, message });
      const escaped = escapeMrkdwn(title);
      const begun = () =>
        muted ? WATCHING.muted(escaped) : wordsForNew(press, escaped, thread !== undefined);
      const text = isNew ? await begun() : WATCHING.already(escaped);
      await press.reply(text, buildWatchingReply(cardId, title, text));
    },

    /** In a thread, this ends posts there: its other watchers get direct messages from then on. */
    async stop(press: Allowed<Press>): Promise<void> {
      const { client, workspaceId, userId, view, message } = press;
      const { cardId } = pressedCard(press);
      const thread = message?.threadTs === undefined ? undefined : threadOf(press);
      const isElsewhere = await watching.stop({ workspaceId, cardId, userId, thread });
      const inThread = isElsewhere ? WATCHING.stoppedOnlyInThread : WATCHING.stoppedInThread;
      const text = thread ? inThread : WATCHING.stopped;
      // The modal that answered Watch in a pane or the Home tab.
      if (view?.type !== 'modal') return press.reply(text);
      await updateView(client, { id: view.id }, buildNotice({ title: FORM.title, text }));
    },
  };
}

async function replaceMessage(
  { respond, message }: Press,
  facts: CardFacts,
  { cardId, detail }: RefreshValue,
  by: string | undefined,
): Promise<string | undefined> {
  if (!respond) return REFRESH.notUpdated;
  const isPrivate = message?.isEphemeral === true;
  const share = isPrivate ? shareButton(cardId, titleOf(facts.card)) : [];
  const below = by === undefined ? share : sharedBy(by);
  const shown = buildCardMessage({ ...facts, detail, linksFiles: isPrivate }, below);
  await sendRichest(waysOf(shown), ({ text, blocks = [] }) =>
    respond({ replace_original: true, text, blocks }),
  );
  return undefined;
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
