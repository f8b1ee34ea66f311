import { RespondError } from '@slack/bolt';
import type { Card, CardFile } from '../../service/operations/read-card.ts';
import { slackErrorCode } from '../client/errors.ts';
import { deliveredFiles } from './card-files.ts';
import type { CardView } from './card-view.ts';

/** What Slack's image block shows (docs.slack.dev/reference/block-kit/blocks/image-block). */
const IMAGE_EXTENSIONS = new Set(['png', 'jpg', 'jpeg', 'gif', 'webp']);
/** Longest image URL that Slack accepts, in characters. */
const IMAGE_URL_MAX = 3_000;

/** The card's picture: the last image that was delivered, since files have no date. */
export function pictureOf(
  card: Card,
  size: ImageSize = 'preview',
): { url: string; name: string } | undefined {
  const file = deliveredFiles(card).findLast(isImage);
  const url = file && imageUrlOf(file, size);
  return url ? { url, name: file.name } : undefined;
}

const isImage = ({ ext }: CardFile) => ext !== undefined && IMAGE_EXTENSIONS.has(ext);

type ImageSize = 'preview' | 'thumbnail';

/** Where Slack can fetch an image; undefined for other files. */
export function imageUrlOf(file: CardFile, size: ImageSize = 'preview'): string | undefined {
  if (!isImage(file)) return undefined;
  const { large, medium, full, small } = file.urls;
  const wanted = size === 'preview' ? [large, medium, full, small] : [medium, small, large, full];
  return wanted.find((one) => one && one.length <= IMAGE_URL_MAX);
}

/** A card, or a missing one. */
type MayShowPicture = Pick<CardView, 'detail' | 'withPicture'> & { card?: CardView['card'] };

const BLOCKS_REFUSED = new Set([
  'invalid_blocks',
  'invalid_blocks_format',
  'invalid_attachments',
  // For views.
  'invalid_arguments',
]);
/** The status with which a response_url rejects content. */
const BAD_REQUEST = 400;

/**
 * Sends cards with their pictures. If Slack rejects the blocks, for example because it can't fetch
 * a picture, sends them again without pictures.
 *
 * @throws what `send` throws
 */
export async function withPicturesIfAccepted<Shown extends MayShowPicture>(
  views: readonly Shown[],
  send: (views: readonly Shown[]) => Promise<unknown>,
): Promise<void> {
  try {
    await send(views);
  } catch (error) {
    if (!refusesBlocks(error) || !views.some(showsPicture)) throw error;
    await send(views.map((view) => ({ ...view, withPicture: false })));
  }
}

/** Whether Slack rejects what is shown, for example because it can't fetch a picture. */
export const refusesBlocks = (error: unknown): boolean =>
  error instanceof RespondError
    ? error.statusCode === BAD_REQUEST
    : BLOCKS_REFUSED.has(slackErrorCode(error) ?? '');

const showsPicture = ({ card, detail, withPicture = true }: MayShowPicture) =>
  withPicture && detail !== 'title' && card !== undefined && pictureOf(card) !== undefined;
