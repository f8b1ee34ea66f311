import type { LinkUnfurls, MessageAttachment } from '@slack/types';
import { fitBlocks } from '../text/fit-blocks.ts';
import { clip, isBlank, MESSAGE_BLOCKS_MAX, wellFormed } from '../text/limits.ts';
import { unescapeEntities } from '../text/unescape.ts';
import { buildCardBlocks, titleOf } from './card-blocks.ts';
import type { CardDetail, CardView } from './card-view.ts';
import { buildMissingCardBlocks, type MissingCard } from './missing-card.ts';

/** Two or three links are shown compactly, one in full; of more, only the first three are shown. */
export const MOST_UNFURLED_LINKS = 3;

export type CardLink = {
  url: string;
  /** The address as Slack gave it, which alone names the link in `chat.unfurl`. */
  postedAs: string;
  cardId: string;
};

/**
 * The card links of a message, each address once, in the order of the message.
 *
 * @param links of `link_shared`, in which Slack writes `&amp;` for `&`
 *   (github.com/slackapi/python-slack-events-api/issues/49; not documented, so plain ones are read too)
 */
export function cardLinksIn(
  links: readonly { url: string }[],
  cardIdOf: (url: string) => string | undefined,
): CardLink[] {
  const cards = new Map<string, CardLink>();
  for (const { url: postedAs } of links) {
    const url = unescapeEntities(postedAs);
    const cardId = cardIdOf(url);
    if (cardId !== undefined) cards.set(postedAs, { url, postedAs, cardId });
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
  const share = Math.floor(MESSAGE_BLOCKS_MAX / links.length);
  return Object.fromEntries(
    links.map((link) => [link.postedAs ?? link.url, buildUnfurl(link, share)]),
  );
}

/** @param most what its blocks may take of the message, see `fitBlocks` */
function buildUnfurl(view: ShownLink, most: number): MessageAttachment {
  if ('missing' in view) return { blocks: fitBlocks(buildMissingCardBlocks(view), most) };
  const { card, detail } = view;
  const status = clip(wellFormed(card.status?.name ?? ''), SUBTITLE_SHOWN);
  const color = card.status?.color ?? '';
  return {
    ...(COLOR.test(color) ? { color } : {}),
    blocks: fitBlocks(buildCardBlocks(view), most),
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
