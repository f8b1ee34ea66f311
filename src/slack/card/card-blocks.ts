import type { ActionsBlock, Button, KnownBlock, MrkdwnElement, Overflow } from '@slack/types';
import type { Card } from '../../service/operations/schemas.ts';
import { accessibilityLabel } from '../text/accessibility-label.ts';
import { escapedLink, escapeMrkdwn } from '../text/escape.ts';
import { htmlToMrkdwn } from '../text/html-to-mrkdwn.ts';
import {
  BUTTON_URL_MAX,
  clip,
  IMAGE_ALT_MAX,
  isBlank,
  SECTION_FIELDS_MAX,
  wellFormed,
} from '../text/limits.ts';
import { CARD } from '../words/card.ts';
import { timeAgo } from './as-of.ts';
import type { CardView } from './card-view.ts';
import { CARD_ACTIONS } from './ids.ts';
import { cardMenu } from './menu.ts';
import { pictureOf } from './pictures.ts';

/** Lengths to show, in characters before escaping, chosen to stay under Slack's limits. */
const TITLE_SHOWN = 200;
const DESCRIPTION_SHOWN = 600;
/** Together with the description, stays under Slack's 3,000 for a section, escaped. */
const TITLE_LINE_MAX = 2_300;
const DESCRIPTION_LINES = 5;
const FACT_SHOWN = 250;
/** Facts on a shared line, which stays under Slack's 3,000 for a text, escaped. */
const SHORT_FACT_SHOWN = 120;

/** A card as Block Kit for both unfurls and messages (unfurls don't support `rich_text`). */
export function buildCardBlocks(view: CardView): KnownBlock[] {
  const { card, detail } = view;
  switch (detail) {
    case 'title':
      return [section(titleLine(view)), ...contextOf([statusOf(card), ageOf(view)])];
    case 'small':
      return [
        section(titleLine(view)),
        ...contextOf([
          ...[card.status?.name, card.productType, view.brandName].map(short),
          dueOf(card, SHORT_FACT_SHOWN),
          ageOf(view),
        ]),
        ...actions([...openButton(view), ...cardMenu({ cardId: card.id, detail })]),
      ];
    case 'large':
      return [
        ...allOf(view),
        ...actions([...openButton(view), ...cardMenu({ cardId: card.id, detail })]),
      ];
    case 'all':
      return [...allOf(view), ...actions(openButton(view))];
  }
}

const allOf = (view: CardView): KnownBlock[] => [
  section(joinLines([titleLine(view), descriptionOf(view.card)])),
  ...factsOf(view),
  ...pictureBlock(view),
  ...contextOf([ageOf(view)]),
];

/** The title as plain text, for notifications and the composer. */
export const titleOf = (card: Card): string => {
  const title = isBlank(card.title) ? CARD.untitled(card.id) : card.title;
  return clip(wellFormed(title).replaceAll(/\s+/g, ' ').trim(), TITLE_SHOWN);
};

const titleLine = ({ card, url }: CardView) => linkedTitle(url, titleOf(card));

/** The title with a link, unless the URL alone would fill the section. */
export function linkedTitle(url: string, title: string): string {
  const link = escapedLink(url, title);
  return `*${link.length <= TITLE_LINE_MAX ? link : escapeMrkdwn(title)}*`;
}

const descriptionOf = (card: Card) =>
  htmlToMrkdwn(card.descriptionHtml, { maxLength: DESCRIPTION_SHOWN, maxLines: DESCRIPTION_LINES });

/** Cached cards say how old they are. */
function ageOf({ asOf }: CardView): string | undefined {
  return asOf && CARD.asOfAlone(timeAgo(asOf));
}

/** The status's name as mrkdwn. */
export const statusOf = (card: Card) => plain(card.status?.name);

/** A date without a time is the same day in every time zone. */
const DAY_ONLY = /^(?:\d{4}-\d{2}-\d{2}|\d{1,2}-[a-z]{3}-\d{4})$/i;

function dueOf({ dueDate }: Card, shown = FACT_SHOWN): string | undefined {
  if (!dueDate) return undefined;
  const { date, text } = dueDate;
  if (!date || DAY_ONLY.test(text.trim())) return plain(text, shown);
  return slackDate(date, '{date_short_pretty}');
}

function factsOf(view: CardView): KnownBlock[] {
  const { card, brandName } = view;
  const facts: [string, string | undefined][] = [
    [CARD.status, statusOf(card)],
    [CARD.product, plain(card.productType)],
    [CARD.dimensions, plain(card.dimensions)],
    [CARD.brand, plain(brandName)],
    [CARD.labels, plain(card.labels.join(', '))],
    [CARD.tags, plain(card.tags.join(', '))],
    [CARD.formats, plain(card.fileFormats)],
    [CARD.due, dueOf(card)],
    [CARD.updated, card.updatedAt && slackDate(card.updatedAt, '{date_short_pretty} {time}')],
  ];
  const fields = facts
    .filter((fact): fact is [string, string] => fact[1] !== undefined)
    .slice(0, SECTION_FIELDS_MAX)
    .map(([label, value]) => mrkdwn(`*${label}*\n${value}`));
  return fields.length > 0 ? [{ type: 'section', fields }] : [];
}

function pictureBlock({ card, withPicture = true }: CardView): KnownBlock[] {
  const picture = withPicture ? pictureOf(card) : undefined;
  if (!picture) return [];
  const alt = clip(wellFormed(CARD.pictureAlt(picture.name, titleOf(card))), IMAGE_ALT_MAX);
  return [{ type: 'image', image_url: picture.url, alt_text: alt }];
}

/** Opens the card; none if its URL is too long for a button. */
const openButton = ({ url, card }: CardView): Button[] =>
  url.length > BUTTON_URL_MAX
    ? []
    : [
        {
          type: 'button',
          action_id: CARD_ACTIONS.open,
          text: label(CARD.open),
          accessibility_label: accessibilityLabel(CARD.open, titleOf(card)),
          url,
        },
      ];

const actions = (elements: (Button | Overflow)[]): ActionsBlock[] =>
  elements.length > 0 ? [{ type: 'actions', elements }] : [];

/** Text from the service, clipped and escaped; undefined if blank. */
function plain(text: string | undefined, most = FACT_SHOWN): string | undefined {
  const shown = text === undefined ? '' : wellFormed(text).trim();
  return isBlank(shown) ? undefined : escapeMrkdwn(clip(shown, most));
}

const short = (text: string | undefined) => plain(text, SHORT_FACT_SHOWN);

/** A time in the reader's own time zone (docs.slack.dev/messaging/formatting-message-text). */
function slackDate(date: Date, format: string): string {
  const seconds = Math.floor(date.getTime() / 1_000);
  return `<!date^${seconds}^${format}|${date.toISOString().slice(0, 10)}>`;
}

const joinLines = (lines: string[]) => lines.filter((line) => line !== '').join('\n');

// verbatim stops Slack from turning names and URLs in the service's text into links.
const mrkdwn = (text: string): MrkdwnElement => ({ type: 'mrkdwn', text, verbatim: true });
const label = (text: string) => ({ type: 'plain_text' as const, text });
const section = (text: string): KnownBlock => ({ type: 'section', text: mrkdwn(text) });

function contextOf(parts: (string | undefined)[]): KnownBlock[] {
  const shown = parts.filter((part) => part !== undefined);
  return shown.length > 0 ? [{ type: 'context', elements: [mrkdwn(shown.join('  ·  '))] }] : [];
}
