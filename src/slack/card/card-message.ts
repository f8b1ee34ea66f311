import type { KnownBlock } from '@slack/types';
import { escapeMrkdwn } from '../text/escape.ts';
import { fitBlocks } from '../text/fit-blocks.ts';
import { buildCardBlocks, titleOf } from './card-blocks.ts';
import type { CardView } from './card-view.ts';
import { withPicturesIfTaken } from './picture-refused.ts';

export type CardMessage = { text: string; blocks: KnownBlock[] };

/** A card as a message: its blocks, and its title for notifications, which Slack reads as mrkdwn. */
export function buildCardMessage(view: CardView, more: readonly KnownBlock[] = []): CardMessage {
  return {
    text: escapeMrkdwn(titleOf(view.card)),
    blocks: fitBlocks([...buildCardBlocks(view), ...more]),
  };
}

/** Sends a card as a message; where Slack can't fetch its picture, without the picture. */
export function sendCardMessage(
  view: CardView,
  more: readonly KnownBlock[],
  send: (message: CardMessage) => Promise<unknown>,
): Promise<void> {
  return withPicturesIfTaken([view], async ([shown = view]) => {
    await send(buildCardMessage(shown, more));
  });
}
