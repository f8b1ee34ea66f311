import type { KnownBlock } from '@slack/types';
import { escapeMrkdwn } from '../text/escape.ts';
import { fitBlocks } from '../text/fit-blocks.ts';
import { buildCardBlocks } from './card-blocks.ts';
import { statusOf, titleOf } from './card-parts.ts';
import type { CardView } from './card-view.ts';
import { withPicturesIfAccepted } from './pictures.ts';

export type CardMessage = { text: string; blocks: KnownBlock[] };

/** A card as a message. The text, which Slack reads as mrkdwn, is all that notifications show. */
export function buildCardMessage(view: CardView, more: readonly KnownBlock[] = []): CardMessage {
  return {
    text: [escapeMrkdwn(titleOf(view.card)), statusOf(view.card)].filter(Boolean).join(' · '),
    blocks: fitBlocks([...buildCardBlocks(view), ...more]),
  };
}

/** Sends a card as a message, without its picture if Slack can't fetch that. */
export function sendCardMessage(
  view: CardView,
  more: readonly KnownBlock[],
  send: (message: CardMessage) => Promise<unknown>,
): Promise<void> {
  return withPicturesIfAccepted([view], async ([shown = view]) => {
    await send(buildCardMessage(shown, more));
  });
}
