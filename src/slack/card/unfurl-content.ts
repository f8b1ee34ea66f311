import type { LinkUnfurls, MessageAttachment } from '@slack/types';
import { fitBlocks } from '../text/fit-blocks.ts';
import { unescapeEntities } from '../text/input.ts';
import { clip, isBlank, MESSAGE_BLOCKS_MAX, wellFormed } from '../text/limits.ts';
import { buildCardBlocks } from './card-blocks.ts';
import { titleOf } from './card-parts.ts';
import type { CardDetail, CardView } from './card-view.ts';
import { buildMissingCardBlocks, type MissingCard } from './missing-card.ts';

/** A single link is shown in the size that admins chose, two or three are small; of more, only the first three. */
export const MAX_UNFURLED_LINKS = 3;

export type CardLink = {
  url: string;
  /** The link as Slack reported it, which identifies it in `chat.unfurl`. */
  postedAs: string;
  cardId: string;
};

/**
 * The card links of a message without duplicates, in order.
 *
 * @param links from `link_shared`, in which Slack writes `&amp;` for `&` (undocumented, see
 *   github.com/slackapi/python-slack-events-api/issues/49, so a plain `&` is accepted, too)
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

/** @param linkCount all card links in the message, shown or not */
export function detailFor(
  linkCount: number,
  options: { composer: boolean; unfurls: 'large' | 'small' },
): CardDetail {
  if (options.composer) return 'title';
  return linkCount === 1 ? options.unfurls : 'small';
}

/** Status colors, as the service writes them. Slack accepts other forms, too. */
const COLOR = /^#[0-9a-f]{6}$/i;

/** What is shown under a link: its card, or why it is missing. */
export type ShownLink = CardView | MissingCard;

/** The attachments of one message by link, with the status's color on the bar. */
export function buildUnfurls(links: readonly ShownLink[]): LinkUnfurls {
  const share = Math.floor(MESSAGE_BLOCKS_MAX / links.length);
  return Object.fromEntries(
    links.map((link) => [link.postedAs ?? link.url, buildUnfurl(link, share)]),
  );
}

/** @param most how much of the message its blocks may take, see `fitBlocks` */
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

/** Shown of a status in the composer, in characters. */
const SUBTITLE_SHOWN = 100;
