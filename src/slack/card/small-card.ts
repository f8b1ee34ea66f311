import type { ImageElement, KnownBlock, SectionBlock } from '@slack/types';
import type { Card } from '../../service/operations/read-card.ts';
import { section } from '../text/blocks.ts';
import { htmlToMrkdwn } from '../text/html-to-mrkdwn.ts';
import { clip, IMAGE_ALT_MAX, wellFormed } from '../text/limits.ts';
import { CARD, CARD_FILES } from '../words/card.ts';
import { deliveredFiles, fileLinks } from './card-files.ts';
import {
  authorsText,
  contextIfAny,
  factsLine,
  historyLine,
  linkedTitle,
  titleOf,
} from './card-parts.ts';
import type { CardView } from './card-view.ts';
import { cardMenu } from './menu.ts';
import { pictureOf } from './pictures.ts';

/** One line next to the image, in characters, with as many lines of the description as fit. */
const BRIEF_SHOWN = 80;
/** As many as fit on a line, mostly. */
const FILES_SHOWN = 2;

/**
 * A card in about 150 pixels. It has no Open button, because its title is a link, and its menu is
 * next to its last line instead of in a row of its own.
 */
export function buildSmallCard(view: CardView): KnownBlock[] {
  const { card, url, moreLinks, isExternal } = view;
  const thumbnail = thumbnailOf(view);
  const lines = [
    linkedTitle(url, titleOf(card)),
    factsLine(view),
    ...briefAndFiles(view, thumbnail),
  ];
  const shown = section(lines.filter((line) => line !== '').join('\n'));
  return [
    thumbnail ? { ...shown, accessory: thumbnail } : shown,
    ...lastLine(view, cardMenu({ cardId: card.id, detail: 'small', moreLinks, isExternal })),
    ...contextIfAny(moreLinks ? CARD.moreLinks(moreLinks) : ''),
  ];
}

function briefOf({ descriptionHtml }: Card): string {
  const brief = htmlToMrkdwn(authorsText(descriptionHtml), { maxLength: BRIEF_SHOWN });
  return brief.replaceAll(/\s+/g, ' ');
}

/** Files are named if no picture stands for them. A reply to one person names them instead of the brief. */
function briefAndFiles({ card, linksFiles }: CardView, thumbnail: object | undefined): string[] {
  const delivered = deliveredFiles(card);
  const links = fileLinks(delivered, FILES_SHOWN);
  const files = links === '' ? '' : CARD_FILES.count(delivered.length, links);
  if (linksFiles && files !== '') return [files];
  return [briefOf(card), thumbnail ? '' : files];
}

function thumbnailOf({ card, withPicture = true }: CardView): ImageElement | undefined {
  const picture = withPicture ? pictureOf(card, 'thumbnail') : undefined;
  if (!picture) return undefined;
  const alt = clip(wellFormed(CARD.pictureAlt(picture.name, titleOf(card))), IMAGE_ALT_MAX);
  return { type: 'image', image_url: picture.url, alt_text: alt };
}

/** A section needs a text, so a card without a history has its menu in a row of its own. */
function lastLine(view: CardView, [menu]: ReturnType<typeof cardMenu>): KnownBlock[] {
  const history = historyLine(view);
  if (!menu) return contextIfAny(history);
  if (history === '') return [{ type: 'actions', elements: [menu] }];
  return [{ ...section(history), accessory: menu } satisfies SectionBlock];
}
