import type { LinkUnfurls, MessageAttachment } from '@slack/types';
import { clip, isBlank, wellFormed } from '../text/limits.ts';
import { buildCardBlocks, titleOf } from './card-blocks.ts';
import type { CardDetail, CardView } from './card-view.ts';
import { buildMissingCardBlocks, type MissingCard } from './missing-card.ts';

/** Two or three links are shown compactly, one in full; of more, only the first three are shown. */
export const MOST_UNFURLED_LINKS = 3;

export type CardLink = { url: string; cardId: string };

/** The card links of a message, each address once, in the order of the message. */
export function cardLinksIn(
  links: readonly { url: string }[],
  cardIdOf: (url: string) => string | undefined,
): CardLink[] {
  const cards = new Map<string, CardLink>();
  for (const { url } of links) {
    const cardId = cardIdOf(url);
    if (cardId !== undefined) cards.set(url, { url, cardId });
  }
  return [...cards.values()];
}

/** @param linkCount card links in the message, also those that are not shown */
export function detailFor(
  linkCount: number,
  options: { composer: boolean; unfurls: 'full' | 'compact' },
): CardDetail {
  if (options.composer) return 'title';
  return linkCount === 1 && options.unfurls === 'full' ? 'full' : 'compact';
}

/** Of Slack's forms of an attachment's colour, the one that api.md (2.3) gives a status. */
const COLOR = /^#[0-9a-f]{6}$/i;

/** What stands under a link: its card, or why that is missing. */
export type ShownLink = CardView | MissingCard;

/** The attachments of one message by address, each with its status's colour on the bar. */
export function buildUnfurls(links: readonly ShownLink[]): LinkUnfurls {
  return Object.fromEntries(links.map((link) => [link.url, buildUnfurl(link)]));
}

function buildUnfurl(view: ShownLink): MessageAttachment {
  if ('missing' in view) return { blocks: buildMissingCardBlocks(view) };
  const { card, detail } = view;
  const status = clip(wellFormed(card.status?.name ?? ''), SUBTITLE_SHOWN);
  const color = card.status?.color ?? '';
  return {
    ...(COLOR.test(color) ? { color } : {}),
    blocks: buildCardBlocks(view),
    ...(detail === 'title'
      ? {
          preview: {
            title: { type: 'plain_text', text: titleOf(card) },
            ...(isBlank(status) ? {} : { subtitle: { type: 'plain_text', text: status } }),
          },
        }
      : {}),
  };
}

/** Of a status's name in the composer, in characters. */
const SUBTITLE_SHOWN = 100;
