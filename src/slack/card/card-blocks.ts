import type { Button, KnownBlock } from '@slack/types';
import { type Card, MAX_CARD_FILES } from '../../service/operations/card.ts';
import type { Message } from '../client/post-message.ts';
import {
  button,
  buttonRow,
  contextIfAny,
  fitBlocks,
  mrkdwn,
  section,
  timeAgo,
} from '../text/blocks.ts';
import { escapeMrkdwn } from '../text/escape.ts';
import { htmlToMrkdwn } from '../text/html-to-mrkdwn.ts';
import { clip, IMAGE_ALT_MAX, SECTION_FIELDS_MAX, wellFormed } from '../text/limits.ts';
import { CARD, CARD_FILES } from '../words/card.ts';
import {
  deliveredFiles,
  fileLinks,
  filesOfRequest,
  nameWithRole,
  pictureOf,
} from './card-files.ts';
import {
  authorsText,
  dueDay,
  factsLine,
  historyLine,
  linkedTitle,
  onOneLine,
  plain,
  statusOf,
  titleOf,
} from './card-text.ts';
import type { CardDetail, CardView } from './card-view.ts';
import { CARD_ACTIONS, cardMenu } from './menu.ts';

/** A card as a message. The text, which Slack reads as mrkdwn, is all that notifications show. */
export function buildCardMessage(view: CardView, more: readonly KnownBlock[] = []) {
  const blocksOf = (shown: CardView) => fitBlocks([...buildCardBlocks(shown), ...more]);
  return {
    text: onOneLine([escapeMrkdwn(titleOf(view.card)), statusOf(view.card)]),
    blocks: blocksOf(view),
    withoutPictures: showsPicture(view)
      ? () => blocksOf({ ...view, withPicture: false })
      : undefined,
  } satisfies Message;
}

/** A card as Block Kit for both unfurls and messages (unfurls don't support `rich_text`). */
export const buildCardBlocks = (view: CardView): KnownBlock[] => CARDS[view.detail](view);

const CARDS: Record<CardDetail, (view: CardView) => KnownBlock[]> = {
  title: titleAndStatus,
  small: smallCard,
  large: largeCard,
  all: wholeCard,
};

const titleLine = ({ card, url }: CardView) => linkedTitle(url, titleOf(card));

function titleAndStatus(view: CardView): KnownBlock[] {
  const age = view.asOf && CARD.asOf(timeAgo(view.asOf));
  return [section(titleLine(view)), ...contextIfAny(onOneLine([statusOf(view.card), age]))];
}

/** How many files a preview names, mostly on one line. */
const FILES_SHOWN = 2;
/** How much of the description a small card shows, on one line next to the image, in characters. */
const BRIEF_CHARS = 80;

/** About 150 pixels high: its title is the only link, and its menu is next to its last line. */
function smallCard(view: CardView): KnownBlock[] {
  const { card, linksFiles } = view;
  const thumbnail = pictureIn(view, 'thumbnail');
  // Files are named if no picture is shown, and in a reply to one person, in place of the description.
  const files = thumbnail && !linksFiles ? '' : filesLine(card);
  const brief =
    linksFiles && files !== ''
      ? ''
      : htmlToMrkdwn(authorsText(card.descriptionHtml), { maxLength: BRIEF_CHARS });
  const lines = [titleLine(view), factsLine(view), brief.replaceAll(/\s+/g, ' '), files];
  const shown = section(lines.filter(Boolean).join('\n'));
  return [
    thumbnail ? { ...shown, accessory: thumbnail } : shown,
    ...historyAndMenu(view),
    ...moreLinksLine(view),
  ];
}

/** A section needs a text, so a card without a history has its menu in a row of its own. */
function historyAndMenu(view: CardView): KnownBlock[] {
  const history = historyLine(view);
  const [menu] = cardMenu({ ...view, cardId: view.card.id, detail: 'small' });
  if (!menu) return contextIfAny(history);
  if (history === '') return [{ type: 'actions', elements: [menu] }];
  return [{ ...section(history), accessory: menu }];
}

function filesLine(card: Card): string {
  const delivered = deliveredFiles(card);
  const links = fileLinks(delivered, FILES_SHOWN);
  return links === '' ? '' : CARD_FILES.count(delivered.length, links);
}

const moreLinksLine = ({ moreLinks = 0 }: CardView) =>
  contextIfAny(moreLinks > 0 ? CARD.moreLinks(moreLinks) : '');

/** The start of a description, which stays under Slack's 3,000 for a section with the title. */
const DESCRIPTION_START = { maxLength: 600, maxLines: 5 };

function largeCard(view: CardView): KnownBlock[] {
  const { card } = view;
  const description = htmlToMrkdwn(card.descriptionHtml, DESCRIPTION_START);
  return [
    section([titleLine(view), description].filter((text) => text !== '').join('\n')),
    ...factsAndPicture(view),
    ...contextIfAny(onOneLine([deliveredLine(card, FILES_SHOWN), historyLine(view)])),
    {
      type: 'actions',
      elements: [openButton(view), ...cardMenu({ ...view, cardId: card.id, detail: 'large' })],
    },
    ...moreLinksLine(view),
  ];
}

/** A text in a section of its own. */
const WHOLE_TEXT = { maxLength: 2_800 };

function wholeCard(view: CardView): KnownBlock[] {
  const { card } = view;
  const description = htmlToMrkdwn(card.descriptionHtml, WHOLE_TEXT);
  const wording = htmlToMrkdwn(card.textCopyHtml, WHOLE_TEXT);
  const given = fileLinks(filesOfRequest(card), MAX_CARD_FILES, nameWithRole);
  return [
    section(titleLine(view)),
    ...(description === '' ? [] : [section(description)]),
    ...(wording === '' ? [] : [section(`*${CARD.wording}*\n${wording}`)]),
    ...factsAndPicture(view),
    ...contextIfAny(deliveredLine(card, MAX_CARD_FILES)),
    ...contextIfAny(given && CARD_FILES.fromRequest(given)),
    ...contextIfAny(historyLine(view)),
    ...buttonRow([openButton(view)]),
  ];
}

function deliveredLine(card: Card, most: number): string {
  const links = fileLinks(deliveredFiles(card), most);
  return links && CARD_FILES.delivered(links);
}

const openButton = ({ url, card }: CardView): Button =>
  button(CARD_ACTIONS.open, CARD.open, { url, about: titleOf(card) });

/** The button that posts a card in the channel, below a card that only one person sees. */
export const shareButton = (cardId: string, title: string): KnownBlock[] =>
  buttonRow([button(CARD_ACTIONS.share, CARD.share, { value: cardId, about: title })]);

function factsAndPicture(view: CardView): KnownBlock[] {
  const { card, typeName, brandName, shownAt } = view;
  const { dueDate } = card;
  const due = dueDate && (dueDay(dueDate, shownAt) ?? plain(dueDate.text));
  const facts: [string, string | undefined][] = [
    [CARD.status, statusOf(card)],
    [CARD.type, plain(typeName)],
    [CARD.product, typeName === card.productType ? undefined : plain(card.productType)],
    [CARD.dimensions, plain(card.dimensions)],
    [CARD.brand, plain(brandName)],
    [CARD.labels, plain(card.labels.join(', '))],
    [CARD.tags, plain(card.tags.join(', '))],
    [CARD.formats, plain(card.fileFormats)],
    [CARD.software, plain(card.software)],
    [dueDate?.isNeededBy ? CARD.neededBy : CARD.due, due],
  ];
  const fields = facts
    .filter((fact) => fact[1] !== undefined)
    .slice(0, SECTION_FIELDS_MAX)
    .map(([label, value]) => mrkdwn(`*${label}*\n${value}`));
  const shown: KnownBlock[] = fields.length > 0 ? [{ type: 'section', fields }] : [];
  return [...shown, ...[pictureIn(view, 'preview') ?? []].flat()];
}

function pictureIn({ card, withPicture = true }: CardView, size: 'preview' | 'thumbnail') {
  const picture = withPicture ? pictureOf(card, size) : undefined;
  if (!picture) return undefined;
  const alt = clip(wellFormed(CARD.pictureAlt(picture.name, titleOf(card))), IMAGE_ALT_MAX);
  return { type: 'image' as const, image_url: picture.url, alt_text: alt };
}

export const showsPicture = ({ card, detail }: CardView): boolean =>
  detail !== 'title' && pictureOf(card) !== undefined;
