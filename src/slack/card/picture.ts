import type { Card } from '../../service/operations/schemas.ts';

/** What Slack's image block shows (https://docs.slack.dev/reference/block-kit/blocks/image-block). */
const SHOWN_EXTENSIONS = new Set(['png', 'jpg', 'jpeg', 'gif', 'webp']);
/** Longest image address that Slack takes, in characters. */
const IMAGE_URL_MAX = 3_000;

/** The card's picture: of the last listed file that is an image, since files carry no date. */
export function pictureOf(card: Card): { url: string; name: string } | undefined {
  const file = card.files.findLast(({ ext }) => ext !== undefined && SHOWN_EXTENSIONS.has(ext));
  if (!file) return undefined;
  const { large, medium, full, small } = file.urls;
  const url = [large, medium, full, small].find((one) => one && one.length <= IMAGE_URL_MAX);
  return url ? { url, name: file.name } : undefined;
}
