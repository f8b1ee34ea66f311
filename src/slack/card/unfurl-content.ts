import type { LinkUnfurls, MessageAttachment } from '@slack/types';
import { clip, wellFormed } from '../text/limits.ts';
import { buildCardBlocks, titleOf } from './card-blocks.ts';
import type { CardDetail, CardView } from './card-view.ts';

/** Two or three links are shown compactly, one in full; of more, only the first three are shown. */
const MOST_UNFURLED_LINKS = 3;

export type CardLink = { url: string; cardId: string };

/** Which links of a message are shown, each address once, in the order of the message. */
export function linksToShow(
  links: readonly { url: string }[],
  cardIdOf: (url: string) => string | undefined,
): CardLink[] {
  const cards = new Map<string, CardLink>();
  for (const { url } of links) {
    const cardId = cardIdOf(url);
    if (cardId !== undefined) cards.set(url, { url, cardId });
  }
  return [...cards.values()].slice(0, MOST_UNFURLED_LINKS);
}

export function detailFor(
  linkCount: number,
  options: { composer: boolean; unfurls: 'full' | 'compact' },
): CardDetail {
  if (options.composer) return 'title';
  return linkCount === 1 && options.unfurls === 'full' ? 'full' : 'compact';
}

/** The attachments of one message by address, each with its status's colour on the bar. */
export function buildUnfurls(views: readonly CardView[]): LinkUnfurls {
  return Object.fromEntries(views.map((view) => [view.url, buildUnfurl(view)]));
}

function buildUnfurl(view: CardView): MessageAttachment {
  const { card, detail } = view;
  const status = clip(wellFormed(card.status?.name ?? ''), SUBTITLE_SHOWN);
  return {
    ...(card.status?.color ? { color: card.status.color } : {}),
    blocks: buildCardBlocks(view),
    ...(detail === 'title'
      ? {
          preview: {
            title: { type: 'plain_text', text: titleOf(card) },
            ...(status.trim() ? { subtitle: { type: 'plain_text', text: status } } : {}),
          },
        }
      : {}),
  };
}

/** Of a status's name in the composer, in characters. */
const SUBTITLE_SHOWN = 100;
