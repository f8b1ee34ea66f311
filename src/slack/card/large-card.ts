import type { KnownBlock } from '@slack/types';
import type { Card } from '../../service/operations/read-card.ts';
import { MAX_CARD_FILES } from '../../service/operations/read-card.ts';
import { mrkdwn, section } from '../text/blocks.ts';
import { htmlToMrkdwn } from '../text/html-to-mrkdwn.ts';
import { clip, IMAGE_ALT_MAX, SECTION_FIELDS_MAX, wellFormed } from '../text/limits.ts';
import { CARD, CARD_FILES } from '../words/card.ts';
import { deliveredFiles, fileLinks, filesOfRequest, nameWithRole } from './card-files.ts';
import {
  contextIfAny,
  historyLine,
  linkedTitle,
  onOneLine,
  plain,
  statusOf,
  titleOf,
} from './card-parts.ts';
import type { CardView } from './card-view.ts';
import { dueDay } from './due-words.ts';
import { pictureOf } from './pictures.ts';

/** The start of a description, which stays under Slack's 3,000 for a section with the title. */
const DESCRIPTION_START = { maxLength: 600, maxLines: 5 };
/** A text in a section of its own. */
const WHOLE_TEXT = { maxLength: 2_800 };
/** In a preview, on one line. */
const FILES_SHOWN = 2;

/** A card with its main facts and its image, without buttons. */
export function buildLargeCard(view: CardView): KnownBlock[] {
  const title = linkedTitle(view.url, titleOf(view.card));
  const description = htmlToMrkdwn(view.card.descriptionHtml, DESCRIPTION_START);
  return [
    section([title, description].filter((text) => text !== '').join('\n')),
    ...factsAndPicture(view),
  ];
}

/** Everything that the service stores for a card, for a modal. */
export function buildWholeCard(view: CardView): KnownBlock[] {
  const { card, url } = view;
  const description = htmlToMrkdwn(card.descriptionHtml, WHOLE_TEXT);
  const wording = htmlToMrkdwn(card.textCopyHtml, WHOLE_TEXT);
  return [
    section(linkedTitle(url, titleOf(card))),
    ...(description === '' ? [] : [section(description)]),
    ...(wording === '' ? [] : [section(`*${CARD.wording}*\n${wording}`)]),
    ...factsAndPicture(view),
  ];
}

const factsAndPicture = (view: CardView): KnownBlock[] => [
  ...factsOf(view),
  ...pictureBlock(view),
  ...filesAndHistory(view),
];

/** A preview names the newest files on the last line; the whole card has a line for all of them. */
function filesAndHistory(view: CardView): KnownBlock[] {
  const { card, detail } = view;
  const most = detail === 'all' ? MAX_CARD_FILES : FILES_SHOWN;
  const links = fileLinks(deliveredFiles(card), most);
  const delivered = links && CARD_FILES.delivered(links);
  const history = historyLine(view);
  if (detail !== 'all') return contextIfAny(onOneLine([delivered, history].filter(Boolean)));
  const given = fileLinks(filesOfRequest(card), most, nameWithRole);
  return [delivered, given && CARD_FILES.fromRequest(given), history].flatMap(contextIfAny);
}

function factsOf({ card, typeName, brandName, shownAt }: CardView): KnownBlock[] {
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
    [card.dueDate?.isNeededBy ? CARD.neededBy : CARD.due, dueOf(card, shownAt)],
  ];
  const fields = facts
    .filter((fact): fact is [string, string] => fact[1] !== undefined)
    .slice(0, SECTION_FIELDS_MAX)
    .map(([label, value]) => mrkdwn(`*${label}*\n${value}`));
  return fields.length > 0 ? [{ type: 'section', fields }] : [];
}

const dueOf = ({ dueDate }: Card, now: Date) =>
  dueDate && (dueDay(dueDate, now) ?? plain(dueDate.text));

function pictureBlock({ card, withPicture = true }: CardView): KnownBlock[] {
  const picture = withPicture ? pictureOf(card) : undefined;
  if (!picture) return [];
  const alt = clip(wellFormed(CARD.pictureAlt(picture.name, titleOf(card))), IMAGE_ALT_MAX);
  return [{ type: 'image', image_url: picture.url, alt_text: alt }];
}
