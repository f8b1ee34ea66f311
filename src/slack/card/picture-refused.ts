import { RespondError } from '@slack/bolt';
import { slackErrorCode } from '../client/errors.ts';
import type { CardView } from './card-view.ts';
import { pictureOf } from './picture.ts';

/** A card, or what stands in for one. */
type MayShowPicture = Pick<CardView, 'detail' | 'withPicture'> & { card?: CardView['card'] };

const BLOCKS_REFUSED = new Set(['invalid_blocks', 'invalid_blocks_format', 'invalid_attachments']);
/** What a response_url answers to content that Slack does not take. */
const BAD_REQUEST = 400;

/**
 * Sends cards with their pictures; where Slack refuses the blocks (a picture that it can't fetch,
 * say), they go once more without.
 *
 * @throws what `send` throws
 */
export async function withPicturesIfTaken<Shown extends MayShowPicture>(
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

const refusesBlocks = (error: unknown) =>
  error instanceof RespondError
    ? error.statusCode === BAD_REQUEST
    : BLOCKS_REFUSED.has(slackErrorCode(error) ?? '');

const showsPicture = ({ card, detail, withPicture = true }: MayShowPicture) =>
  withPicture && detail === 'full' && card !== undefined && pictureOf(card) !== undefined;
