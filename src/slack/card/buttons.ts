import type { ModalView } from '@slack/types';
import { RetryLaterError } from '../../jobs/retry-later.ts';
import type { CardLinks } from '../../references.ts';
import { typedCardId } from '../../references.ts';
import type { Conversations } from '../client/conversations.ts';
import { outcomeOfCall } from '../client/errors.ts';
import { type AllowedUser, actorOf } from '../surface/access.ts';
import type { ModalToOpen } from '../surface/open-modal.ts';
import {
  type ActionArgs,
  isInOwnWorkObject,
  isInPane,
  pressedValue,
  replyPrivately,
  stringOf,
  workspaceOf,
} from '../surface/replies.ts';
import { buildModal } from '../surface/views.ts';
import { NOT_SHOWN_EXTERNALLY, REFRESH, SHARE, WHOLE_CARD } from '../words/card.ts';
import {
  buildCardBlocks,
  sendCardMessage,
  showsPicture,
  withPicturesIfAccepted,
} from './card-blocks.ts';
import type { WatchedMessages } from './card-messages.ts';
import { titleOf } from './card-text.ts';
import { type CardView, type CardViews, isPrivate } from './card-view.ts';
import type { Details } from './details.ts';
import { readRefreshValue } from './menu.ts';
import {
  postWithCard,
  refreshOwnMessage,
  sendSharedCard,
  shareButton,
  sharedByAgain,
} from './message-with-card.ts';
import type { Unfurls } from './send-unfurls.ts';
import type { WorkObjects } from './work-objects.ts';

type CardButtonsDeps = {
  conversations: Conversations;
  cards: CardLinks;
  cardViews: CardViews;
  unfurls: Unfurls;
  workObjects: WorkObjects;
  details: Details;
  watchedMessages: WatchedMessages;
};

/** What a card's buttons and menu entries do, apart from watching. */
export const createCardButtons = (deps: CardButtonsDeps) => ({
  /** Reads a card again and updates it where it is shown: under its link, or in our message. */
  async refresh(args: ActionArgs, { workspaceId }: AllowedUser): Promise<void> {
    const button = readRefreshValue(pressedValue(args.action));
    if (!button) return;
    const { cardId, detail, moreLinks, isExternal } = button;
    if (isInPane(args)) return deps.details.refresh(args, button);

    const reading = await deps.cardViews.readAgain(args, cardId, isExternal);
    if ('why' in reading) return replyPrivately(args, reading.why);
    const reader = { client: args.client, workspaceId, callClass: 'person' as const };
    const described = await deps.cardViews.describe(reader, cardId, reading);
    const postedAs = stringOf(args.body.container.app_unfurl_url) ?? described.url;
    const view = { ...described, postedAs, detail, moreLinks, isExternal };
    await showRefreshed(deps, args, view);
    if (reading.note) await replyPrivately(args, reading.note);
  },

  share: (args: ActionArgs, user: AllowedUser) => onShare(deps, args, user),
  /**
   * Shows a whole card in a modal, and so only to the person who asked. An ephemeral message would
   * need the app to be in the channel, or a `response_url`, and would vanish with the next reload.
   */
  showAll({ action }: ActionArgs): ModalToOpen {
    const value = pressedValue(action) ?? '';
    return {
      title: WHOLE_CARD.title,
      async fill(user, modal) {
        await modal.load();
        const cardId = typedCardId(value, deps.cards);
        if (cardId === undefined) return void (await modal.draw(SHARE.gone));
        const facts = await deps.cardViews.read(user, cardId);
        if (typeof facts === 'string') return void (await modal.draw(facts));
        const view = { ...facts, detail: 'all' as const };
        await withPicturesIfAccepted(showsPicture(view), (withPicture) =>
          modal.draw(buildWholeCardModal({ ...view, withPicture })),
        );
      },
    };
  },
});

async function showRefreshed(
  deps: CardButtonsDeps,
  args: ActionArgs,
  view: CardView,
): Promise<void> {
  if (isInOwnWorkObject(args)) return refreshOwnMessage(deps.workObjects, args, view);
  const workspaceId = workspaceOf(args.context);
  const { container } = args.body;
  const channel = stringOf(container.channel_id);
  const ts = stringOf(container.message_ts);
  if (container.type === 'message_attachment' && channel && ts) {
    if (deps.unfurls.isLimited(workspaceId)) return replyPrivately(args, REFRESH.slackIsBusy);
    const input = { workspaceId, target: { channel, ts }, links: [view] };
    try {
      const isShown = await deps.unfurls.send(args.client, input);
      return isShown ? undefined : await replyPrivately(args, REFRESH.notUpdated);
    } catch (error) {
      if (!(error instanceof RetryLaterError)) throw error;
      return replyPrivately(args, REFRESH.slackIsBusy);
    }
  }
  const more = isPrivate(args) ? shareButton(view.url, titleOf(view.card)) : sharedByAgain(args);
  await sendCardMessage({ ...view, linksFiles: isPrivate(args) }, more, (message) =>
    args.respond({ replace_original: true, ...message }),
  );
}

/** Posts the card in the channel, if everyone there may see it. */
async function onShare(
  deps: CardButtonsDeps,
  args: ActionArgs,
  { workspaceId, person }: AllowedUser,
): Promise<void> {
  const { action, body, client } = args;
  const cardId = deps.cards.cardIdOf(pressedValue(action) ?? '');
  const channel = body.channel?.id;
  if (cardId === undefined || !channel) return;

  const isSeenOutside = await deps.conversations.isSeenOutside(client, { workspaceId, channel });
  // If Slack doesn't describe the channel to the app, the app can't post there either.
  if (isSeenOutside === undefined) return replyPrivately(args, SHARE.cannotPost);
  if (isSeenOutside) return replyPrivately(args, NOT_SHOWN_EXTERNALLY);

  const facts = await deps.cardViews.read(actorOf(args), cardId);
  if (typeof facts === 'string') return replyPrivately(args, facts);
  const { isWatched, readAt } = facts;
  const view = { ...facts, detail: 'small' as const };
  try {
    await sendSharedCard(
      deps.workObjects,
      { workspaceId, view, by: person.id },
      async (content) => {
        const { ts } = await postWithCard(client, { channel }, content);
        if (!isWatched || !readAt || !ts) return;
        const shown = { kind: 'shared' as const, by: person.id };
        const message = { channel, ts, shown };
        await deps.watchedMessages.remember({ workspaceId, cardId, message, readAt });
      },
    );
  } catch (error) {
    if (outcomeOfCall(error) !== 'refused') throw error;
    await replyPrivately(args, SHARE.cannotPost);
  }
}

const buildWholeCardModal = (view: CardView): ModalView =>
  buildModal({ title: WHOLE_CARD.title, blocks: buildCardBlocks(view) });
