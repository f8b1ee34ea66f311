import type { Button, ContextBlock } from '@slack/types';
import type { Card } from '../../service/operations/read-card.ts';
import { isFinished } from '../../watching/finished.ts';
import { accessibilityLabel, context } from '../text/blocks.ts';
import { escapedLink, escapeMrkdwn } from '../text/escape.ts';
import { BUTTON_URL_MAX, clip, isBlank, wellFormed } from '../text/limits.ts';
import { timeAgo } from '../text/slack-date.ts';
import { CARD } from '../words/card.ts';
import type { CardFacts, CardView } from './card-view.ts';
import { dueWords } from './due-words.ts';
import { CARD_ACTIONS } from './ids.ts';
import { statusEmoji } from './status-color.ts';

// What all forms of a card share. Lengths to show are in characters before escaping, chosen to
// stay under Slack's limits.

const TITLE_SHOWN = 200;
/** Stays under Slack's 3,000 for a section, escaped, together with what follows. */
const TITLE_LINE_MAX = 2_200;
const FACT_SHOWN = 250;
/** Several of these stay under Slack's 3,000 for a text, escaped. */
const SHORT_FACT_SHOWN = 75;

/** The title as plain text, for notifications and the composer. */
export const titleOf = (card: Pick<Card, 'id' | 'title'>): string => {
  const title = isBlank(card.title) ? CARD.untitled(card.id) : card.title;
  return clip(wellFormed(title).replaceAll(/\s+/g, ' ').trim(), TITLE_SHOWN);
};

/** The title with a link, unless the URL alone would fill the section. */
export function linkedTitle(url: string, title: string): string {
  const link = escapedLink(url, title);
  return `*${link.length <= TITLE_LINE_MAX ? link : escapeMrkdwn(title)}*`;
}

/** Text from the service, clipped and escaped; undefined if blank. */
export function plain(text: string | undefined, most = FACT_SHOWN): string | undefined {
  const shown = text === undefined ? '' : wellFormed(text).trim();
  return isBlank(shown) ? undefined : escapeMrkdwn(clip(shown, most));
}

/** The status's name as mrkdwn. */
export const statusOf = ({ status }: Pick<Card, 'status'>) => plain(status?.name, SHORT_FACT_SHOWN);

/** The status with a circle in its color. */
export function coloredStatus({ status }: Pick<Card, 'status'>): string | undefined {
  const name = statusOf({ status });
  return name && status ? [statusEmoji(status), name].filter(Boolean).join(' ') : undefined;
}

/** Status, type, brand, and due date on one line. */
export function factsLine({ card, typeName, brandName, shownAt }: CardFacts): string {
  return onOneLine([
    coloredStatus(card),
    plain(typeName, SHORT_FACT_SHOWN),
    plain(brandName, SHORT_FACT_SHOWN),
    dueOf(card, shownAt),
  ]);
}

/** In words such as “due Tue, 24 Nov”. */
export function dueOf(
  { dueDate, status }: Pick<Card, 'dueDate' | 'status'>,
  now: Date,
): string | undefined {
  if (!dueDate) return undefined;
  const text = plain(dueDate.text, SHORT_FACT_SHOWN);
  return dueWords(dueDate, now, isFinished(status?.name)) ?? (text && CARD.dueOn(text));
}

/** Who requested the card, when it last changed, and, for a cached one, when it was read. */
export function historyLine({ card, requesterName, asOf, detail }: CardFacts & Partial<CardView>) {
  const requester = plain(requesterName, SHORT_FACT_SHOWN);
  return onOneLine([
    requester && CARD.requestedBy(requester),
    detail === 'all' && card.createdAt ? CARD.created(timeAgo(card.createdAt)) : undefined,
    card.updatedAt && CARD.changed(timeAgo(card.updatedAt)),
    asOf && CARD.asOf(timeAgo(asOf)),
  ]);
}

export const onOneLine = (parts: (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined).join(' · ');

/** Opens the card; none if its URL is too long for a button. */
export const openButton = ({ url, card }: Pick<CardView, 'url' | 'card'>): Button[] =>
  url.length > BUTTON_URL_MAX
    ? []
    : [
        {
          type: 'button',
          action_id: CARD_ACTIONS.open,
          text: { type: 'plain_text', text: CARD.open },
          accessibility_label: accessibilityLabel(CARD.open, titleOf(card)),
          url,
        },
      ];

/** A line in small print; none if it is empty. */
export const contextIfAny = (text: string): ContextBlock[] => (text === '' ? [] : [context(text)]);

/** How the paragraphs begin that this app adds below the description (`request-form/new-card.ts`). */
const OUR_LINES = ['<p>Needed by ', '<p>References:</p>', '<p>Requested in Slack'];

/** A card's description, as HTML, as its author wrote it. */
export function authorsText(html: string): string {
  const begins = OUR_LINES.map((line) => html.indexOf(line)).filter((at) => at >= 0);
  return html.slice(0, Math.min(html.length, ...begins));
}
