import type { Button, KnownBlock } from '@slack/types';
import type { Cards } from '../../design-service.ts';
import type { WorkspaceSettings } from '../../installations/settings.ts';
import type { Log } from '../../ops/logging.ts';
import { isTransient } from '../../service/errors.ts';
import type { Card, CardFile } from '../../service/operations/card.ts';
import type { Thread } from '../../store/watches.ts';
import type { News } from '../../watching/begin-watching.ts';
import { isFinished } from '../../watching/finished.ts';
import type { WatchNotifier } from '../../watching/read-watched-card.ts';
import { filesAmong } from '../../watching/snapshot.ts';
import type { Conversations } from '../client/conversations.ts';
import type { DirectMessages } from '../client/direct-messages.ts';
import { MaybePostedError, postMessage } from '../client/direct-messages.ts';
import { outcomeOfCall, slackErrorCode } from '../client/errors.ts';
import type { SlackClient } from '../client/slack-client.ts';
import { button, buttonRow, contextIfAny, fitBlocks, section } from '../text/blocks.ts';
import { escapeMrkdwn } from '../text/escape.ts';
import {
  BUTTON_URL_MAX,
  BUTTON_VALUE_MAX,
  clip,
  IMAGE_ALT_MAX,
  wellFormed,
} from '../text/limits.ts';
import { CARD, WATCHING } from '../words/card.ts';
import { withPicturesIfAccepted } from './card-blocks.ts';
import { deliveredFiles, fileLinks, imageUrlOf, nameWithRole } from './card-files.ts';
import { dueWords, linkedTitle, titleOf } from './card-text.ts';
import { CARD_ACTIONS } from './menu.ts';
import { retryLater } from './show-change.ts';

type ChangeMessage = {
  cardId: string;
  news: News;
  /** Undefined if it can't be read. */
  card: Card | undefined;
  /** Undefined for an ID that can't be part of a URL. */
  url: string | undefined;
  now: Date;
  /** In a thread, those who watch the card there: only mentioned people are notified. */
  mentioned: readonly string[];
  /** Whether it says where feedback belongs, as the first one in a thread does. */
  explainsReplies?: boolean;
  /** False if Slack couldn't fetch the pictures. */
  withPictures?: boolean;
};

const FACT_CHARS = 120;
/** Of a larger batch, the newest: the message must stay readable on a phone. */
const PICTURES_SHOWN = 3;
const NAMES_SHOWN = 10;

/** A message about everything that changed since the last one. */
export function buildChangeMessage(props: ChangeMessage): { text: string; blocks: KnownBlock[] } {
  const { cardId, card, url, news, mentioned } = props;
  const title = card ? titleOf(card) : CARD.untitled(clip(wellFormed(cardId), FACT_CHARS));
  const mentions = mentioned.map((userId) => `<@${userId}> `).join('');
  const files = card && news !== 'gone' ? filesAmong(card, news.files) : [];
  return {
    // Notifications show only this.
    text: sentence(escapeMrkdwn(title), props),
    blocks: fitBlocks([
      section(`${mentions}${sentence(linkedTitle(url, title), props)}`),
      ...(props.withPictures === false ? [] : pictures(files, title)),
      ...contextIfAny(
        files.length > 0
          ? WATCHING.files(files.length, fileLinks(files, NAMES_SHOWN, nameWithRole))
          : '',
      ),
      ...contextIfAny(props.explainsReplies ? WATCHING.replies : ''),
      ...buttonRow([
        ...(url && url.length <= BUTTON_URL_MAX
          ? [button(CARD_ACTIONS.open, WATCHING.open, { url, about: title })]
          : []),
        ...(news === 'gone' ? [] : stopButton(cardId, title)),
      ]),
    ]),
  };
}

const showsPictures = ({ card, news }: ChangeMessage): boolean =>
  card !== undefined &&
  news !== 'gone' &&
  deliveredFiles({ files: filesAmong(card, news.files) }).some(
    (file) => imageUrlOf(file) !== undefined,
  );

function sentence(title: string, props: ChangeMessage): string {
  const { news } = props;
  if (news === 'gone') return WATCHING.gone(title);
  const { status, files, due, isFinished } = news;
  const changes = [
    status && WATCHING.status(fact(status.from), fact(status.to)),
    files && WATCHING.newFiles(files.length),
    due && (dateOf(props, due.to) ?? WATCHING.due(fact(due.to))),
  ];
  const said = changes.filter((change) => change !== undefined).join(WATCHING.separator);
  return isFinished ? WATCHING.done(title, said) : WATCHING.changed(title, said);
}

/** The due date in words, if the card still has the announced one. */
function dateOf({ card, now }: ChangeMessage, due: string | undefined): string | undefined {
  const { dueDate, status } = card ?? {};
  return dueDate && dueDate.text === due
    ? dueWords(dueDate, now, isFinished(status?.name))
    : undefined;
}

const fact = (text: string | undefined) =>
  text === undefined ? undefined : escapeMrkdwn(clip(wellFormed(text), FACT_CHARS));

function pictures(files: readonly CardFile[], title: string): KnownBlock[] {
  return deliveredFiles({ files: [...files] })
    .flatMap((file) => {
      const url = imageUrlOf(file);
      return url === undefined ? [] : [{ url, name: file.name }];
    })
    .slice(-PICTURES_SHOWN)
    .map(({ url, name }) => ({
      type: 'image',
      image_url: url,
      alt_text: clip(wellFormed(WATCHING.pictureAlt(name, title)), IMAGE_ALT_MAX),
    }));
}

const stopButton = (cardId: string, title: string): Button[] =>
  cardId.length > BUTTON_VALUE_MAX
    ? []
    : [button(CARD_ACTIONS.stopWatching, WATCHING.stop, { value: cardId, about: title })];

/** The reply to Watch, with which people can stop at once: the first message may come days later. */
export const buildWatchingReply = (cardId: string, title: string, text: string): KnownBlock[] => [
  section(text),
  ...buttonRow(stopButton(cardId, title)),
];

type Change = Parameters<WatchNotifier['tell']>[0];
export type ChangeToTell = Change & {
  client: SlackClient;
  settings: WorkspaceSettings;
};

/** After this time, a change is announced without the card's title and files, in ms. */
const TELL_INCOMPLETE_AFTER_MS = 60 * 60_000;

export type ChangeMessages = ReturnType<typeof createChangeMessages>;

export function createChangeMessages(deps: {
  cards: Cards;
  conversations: Conversations;
  directMessages: DirectMessages;
  now: () => Date;
  log: Log;
}) {
  const { cards, conversations, directMessages, now, log } = deps;
  return {
    async of({ workspaceId, cardId, news, readAt, isFirst, to }: Change): Promise<ChangeMessage> {
      const asked = { class: 'background', since: readAt } as const;
      const reading = await cards.read(workspaceId, cardId, asked).catch((error: unknown) => {
        const waitedMs = now().getTime() - readAt.getTime();
        if (!isTransient(error) || news === 'gone' || waitedMs > TELL_INCOMPLETE_AFTER_MS)
          return undefined;
        throw retryLater(error, now());
      });
      return {
        cardId,
        news,
        card: reading && 'card' in reading ? reading.card : undefined,
        url: cards.urlIfPossible(cardId),
        now: now(),
        mentioned: [],
        explainsReplies: isFirst === true && to.thread !== undefined,
      };
    },

    /** @returns false if it can't be posted in that thread, now or later */
    async postIn(
      { client, workspaceId, settings }: ChangeToTell,
      { channel, ts }: Thread,
      message: ChangeMessage,
    ): Promise<boolean> {
      try {
        const { isExternal } = await conversations.describe(client, workspaceId, channel);
        if (isExternal && !settings.shareExternally) return false;
        await withPicturesIfAccepted(showsPictures(message), (withPictures) =>
          postMessage(client, channel, buildChangeMessage({ ...message, withPictures }), ts),
        );
        return true;
      } catch (error) {
        if (error instanceof MaybePostedError || outcomeOfCall(error) !== 'refused') throw error;
        const code = slackErrorCode(error);
        log.info({ workspace: workspaceId, code }, 'Slack refused to post a change of a card');
        return false;
      }
    },

    /** First with pictures. If Slack can't fetch them or refuses direct messages, `directMessages` sends it without. */
    async sendTo(
      { client, workspaceId }: ChangeToTell,
      userId: string,
      message: ChangeMessage,
    ): Promise<void> {
      if (showsPictures(message)) {
        try {
          await postMessage(client, userId, buildChangeMessage(message));
          return;
        } catch (error) {
          if (error instanceof MaybePostedError || outcomeOfCall(error) !== 'refused') throw error;
        }
      }
      const plain = buildChangeMessage({ ...message, withPictures: false });
      await directMessages.send(client, { workspaceId, userId }, plain);
    },
  };
}
