import type { Button, KnownBlock } from '@slack/types';
import type { Card, CardFile } from '../../service/operations/card.ts';
import type { News } from '../../watching/begin-watching.ts';
import { isFinished } from '../../watching/finished.ts';
import { filesAmong } from '../../watching/snapshot.ts';
import type { Message } from '../client/post-message.ts';
import { button, buttonRow, contextIfAny, fitBlocks, section } from '../text/blocks.ts';
import { escapeMrkdwn } from '../text/escape.ts';
import { clip, IMAGE_ALT_MAX, wellFormed } from '../text/limits.ts';
import { CARD, WATCHING } from '../words/card.ts';
import { deliveredFiles, fileLinks, imageUrlOf, nameWithRole } from './card-files.ts';
import { dueWords, linkedTitle, titleOf } from './card-text.ts';
import { CARD_ACTIONS } from './menu.ts';

export type ChangeMessage = {
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
};

const FACT_CHARS = 120;
/** Of a larger batch, the newest: the message must stay readable on a phone. */
const PICTURES_SHOWN = 3;
const NAMES_SHOWN = 10;

export function buildChangeMessage(props: ChangeMessage) {
  const { cardId, card, url, news, mentioned } = props;
  const title = card ? titleOf(card) : CARD.untitled(clip(wellFormed(cardId), FACT_CHARS));
  const mentions = mentioned.map((userId) => `<@${userId}> `).join('');
  const files = card && news !== 'gone' ? filesAmong(card, news.files) : [];
  const named = fileLinks(files, NAMES_SHOWN, nameWithRole);
  const blocksWith = (pictures: readonly KnownBlock[]) =>
    fitBlocks([
      section(`${mentions}${sentence(linkedTitle(url, title), props)}`),
      ...pictures,
      ...contextIfAny(named && WATCHING.files(files.length, named)),
      ...contextIfAny(props.explainsReplies ? WATCHING.replies : ''),
      ...buttonRow([
        ...(url ? [button(CARD_ACTIONS.open, CARD.open, { url, about: title })] : []),
        ...(news === 'gone' ? [] : [stopButton(cardId, title)]),
      ]),
    ]);
  const pictures = deliveredFiles({ files })
    .flatMap((file) => image(file, title))
    .slice(-PICTURES_SHOWN);
  return {
    // Notifications show only this.
    text: sentence(escapeMrkdwn(title), props),
    blocks: blocksWith(pictures),
    withoutPictures: pictures.length > 0 ? () => blocksWith([]) : undefined,
  } satisfies Message;
}

function image(file: CardFile, title: string): KnownBlock[] {
  const url = imageUrlOf(file);
  const alt = clip(wellFormed(WATCHING.pictureAlt(file.name, title)), IMAGE_ALT_MAX);
  return url === undefined ? [] : [{ type: 'image', image_url: url, alt_text: alt }];
}

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
  return isFinished ? WATCHING.done(title, said) : `${title}: ${said}`;
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

const stopButton = (cardId: string, title: string): Button =>
  button(CARD_ACTIONS.stopWatching, WATCHING.stop, { value: cardId, about: title });

/** The reply to Watch, with which people can stop at once: the first message may come days later. */
export const buildWatchingReply = (cardId: string, title: string, text: string): KnownBlock[] => [
  section(text),
  ...buttonRow([stopButton(cardId, title)]),
];
