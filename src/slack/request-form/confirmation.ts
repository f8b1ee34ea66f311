import type { KnownBlock } from '@slack/types';
import type { Cards } from '../../design-service.ts';
import type { Log } from '../../ops/logging.ts';
import { type DesignRequest, isUnnamed } from '../../requests/request.ts';
import type { Card } from '../../service/operations/card.ts';
import type { RequestStore } from '../../store/requests.ts';
import type { CardMessages } from '../card/card-messages.ts';
import { coloredStatus, linkedTitle, onOneLine, plain } from '../card/card-text.ts';
import type { CardViews, ReadCard } from '../card/card-view.ts';
import { CARD_ACTIONS } from '../card/menu.ts';
import { type Conversations, wordsForNotPosted } from '../client/conversations.ts';
import type { DirectMessages } from '../client/direct-messages.ts';
import { outcomeOfCall, slackErrorCode } from '../client/errors.ts';
import { type PostedMessage, postMessage, updateMessage } from '../client/post-message.ts';
import type { SlackClient } from '../client/slack-client.ts';
import type { Press } from '../interaction/interactions.ts';
import { button, contextIfAny, fitBlocks, menuOf, section } from '../text/blocks.ts';
import { escapeMrkdwn } from '../text/escape.ts';
import { BUTTON_URL_MAX, clip } from '../text/limits.ts';
import { CARD, WATCHING } from '../words/card.ts';
import { BUTTONS, CONFIRMATION } from '../words/messages.ts';
import { NOTICES } from '../words/request-form.ts';
import { FORM_ACTIONS, REQUEST_AGAIN } from './ids.ts';
import { dueOfRequest } from './outcome.ts';

// The message that confirms that a request became a card: posted once, and drawn again when the card changes.

const TITLE_CHARS = 200;
const FACT_CHARS = 75;

/** About 90 pixels high. `why` says why it isn't in the chosen channel. */
export function buildConfirmation(props: {
  request: DesignRequest;
  card: Card | undefined;
  cardUrl: string | undefined;
  dashboardUrl: string;
  now: Date;
  why?: string | undefined;
}) {
  const { request, card, cardUrl, dashboardUrl, now, why } = props;
  const { form, reference, userId, id, cardId } = request;
  const title = clip(form.title, TITLE_CHARS);
  const sentence = (shown: string) => CONFIRMATION.sentence(`<@${userId}>`, shown, form.isDraft);
  const facts = onOneLine([
    (card && coloredStatus(card)) ?? CONFIRMATION.statusIfUnknown(form.isDraft),
    plain(form.requestType.name, FACT_CHARS),
    plain(form.brand?.name, FACT_CHARS),
    dueOfRequest(request, card, now),
    reference,
  ]);
  const unlinked = isUnnamed(request) ? CONFIRMATION.unnamed : CONFIRMATION.noAddress;
  const url = cardUrl ?? dashboardUrl;
  const about = form.title;
  const openText = cardUrl ? CARD.open : BUTTONS.openDashboard;
  const { openCard, found, refresh } = FORM_ACTIONS;
  const watch = { actionId: CARD_ACTIONS.watch, label: WATCHING.watch };
  const blocks: KnownBlock[] = [
    section(sentence(linkedTitle(cardUrl, title))),
    ...contextIfAny(facts),
    ...contextIfAny(cardUrl ? '' : unlinked),
    {
      type: 'actions',
      elements: [
        ...(url.length > BUTTON_URL_MAX ? [] : [button(openCard, openText, { url, about })]),
        cardId === undefined
          ? button(found, BUTTONS.found, { value: id, about })
          : button(refresh, CARD.refresh, { value: id, about }),
        ...menuOf([
          ...(cardId === undefined ? [] : [{ ...watch, value: cardId }]),
          { actionId: REQUEST_AGAIN, label: BUTTONS.requestAgain, value: id },
        ]),
      ],
    },
    ...contextIfAny(form.isDraft ? CONFIRMATION.draft : ''),
    ...contextIfAny(why ?? ''),
  ];
  return { text: onOneLine([sentence(escapeMrkdwn(title)), facts]), blocks: fitBlocks(blocks) };
}

export type Confirmations = ReturnType<typeof createConfirmations>;

export function createConfirmations(deps: {
  requests: Pick<RequestStore, 'get'>;
  cards: Cards;
  cardViews: CardViews;
  cardMessages: CardMessages;
  directMessages: DirectMessages;
  conversations: Conversations;
  now: () => Date;
  log: Log;
}) {
  const { requests, cards, cardViews, cardMessages, directMessages, conversations, log } = deps;

  /** With its card as a Work Object in place of the buttons, if the workspace wants that. */
  async function build(request: DesignRequest, card: Card | undefined, why?: string) {
    const now = deps.now();
    const url = cards.urlIfPossible(request.cardId);
    const { dashboardUrl } = cards;
    const message = buildConfirmation({ request, card, cardUrl: url, dashboardUrl, now, why });
    if (!card || url === undefined) return message;
    const { workspaceId, id: confirms } = request;
    const titled = { ...card, files: [] };
    const view = { card: titled, url, detail: 'small' as const, confirms, shownAt: now };
    const above = message.blocks.filter(({ type }) => type !== 'actions');
    return { ...message, workObject: await cardMessages.workObjectOf(workspaceId, view, above) };
  }

  /** The confirmation of a request as it is now. If it isn't in the chosen channel, it says why. */
  async function current(client: SlackClient, request: DesignRequest, card: Card) {
    const { workspaceId, form, message } = request;
    const { shareIn, isDraft } = form;
    if (!shareIn || isDraft || !message || message.channel === shareIn) return build(request, card);
    const problem = await conversations.postingProblem(client, workspaceId, shareIn);
    return build(request, card, problem ?? wordsForNotPosted(undefined, shareIn));
  }

  return {
    /** Draws a posted confirmation again, unless it was posted with this reading, or another company would see it. */
    async drawAgain(client: SlackClient, request: DesignRequest, { card, readAt }: ReadCard) {
      const { workspaceId, message, reference } = request;
      if (!message || message.cardReadAt === readAt.getTime()) return;
      if (await conversations.wouldLeakExternally(client, { workspaceId, ...message })) return;
      try {
        await updateMessage(client, message, await current(client, request, card));
      } catch (error) {
        if (outcomeOfCall(error) !== 'refused') throw error;
        const code = slackErrorCode(error);
        log.info({ request: reference, code }, 'Slack refused to update a confirmation');
      }
    },

    /** In the channel that the author chose, or else to the author, with why. @throws Slack's error if neither works now */
    async post(client: SlackClient, request: DesignRequest): Promise<DesignRequest['message']> {
      const { workspaceId, cardId, form } = request;
      const asked = { class: 'posted' } as const;
      const reading =
        cardId && (await cards.read(workspaceId, cardId, asked).catch(() => undefined));
      const shown = reading && 'card' in reading ? reading : undefined;
      const withReadAt = (posted: PostedMessage | undefined) =>
        posted && { ...posted, cardReadAt: shown?.readAt.getTime() };
      const toAuthor = async (why?: string) => {
        const message = await build(request, shown?.card, why);
        return withReadAt((await directMessages.send(client, request, message)).posted);
      };
      // Nobody else needs to hear of a draft.
      if (!form.shareIn || form.isDraft) return toAuthor();
      const problem = await conversations.postingProblem(client, workspaceId, form.shareIn);
      if (problem) return toAuthor(problem);
      try {
        const message = await build(request, shown?.card);
        return withReadAt(await postMessage(client, form.shareIn, message));
      } catch (error) {
        // Retry transient failures, since the message belongs in that channel.
        if (outcomeOfCall(error) !== 'refused') throw error;
        return toAuthor(wordsForNotPosted(error, form.shareIn));
      }
    },

    async onRefresh(press: Press): Promise<void> {
      const { client, workspaceId, value = '', respond } = press;
      const request = await requests.get(workspaceId, value);
      if (request?.cardId === undefined) return press.reply(NOTICES.requestDeleted);
      const reading = await cardViews.readAgain(press, request.cardId);
      if ('why' in reading) return press.reply(reading.why);
      const message = await current(client, request, reading.card);
      const { text, blocks = [] } = message;
      // A button in a Work Object comes without one.
      if (respond) await respond({ replace_original: true, text, blocks });
      else if (request.message) await updateMessage(client, request.message, message);
      if (reading.note) await press.reply(reading.note);
    },
  };
}
