import type { ActionsBlock, Button, KnownBlock, Overflow } from '@slack/types';
import { fitBlocks, section } from '../text/blocks.ts';
import { escapeMrkdwn } from '../text/escape.ts';
import { timeAgo } from '../text/slack-date.ts';
import { CARD } from '../words/card.ts';
import {
  contextIfAny,
  linkedTitle,
  onOneLine,
  openButton,
  statusOf,
  titleOf,
} from './card-parts.ts';
import type { CardView } from './card-view.ts';
import { buildLargeCard, buildWholeCard } from './large-card.ts';
import { cardMenu } from './menu.ts';
import { withPicturesIfAccepted } from './pictures.ts';
import { buildSmallCard } from './small-card.ts';

/** A card as Block Kit for both unfurls and messages (unfurls don't support `rich_text`). */
export function buildCardBlocks(view: CardView): KnownBlock[] {
  const { card, url, detail, asOf, moreLinks, isExternal } = view;
  switch (detail) {
    case 'title': {
      const age = asOf && CARD.asOf(timeAgo(asOf));
      return [
        section(linkedTitle(url, titleOf(card))),
        ...contextIfAny(onOneLine([statusOf(card), age])),
      ];
    }
    case 'small':
      return buildSmallCard(view);
    case 'large':
      return [
        ...buildLargeCard(view),
        ...actions([
          ...openButton(view),
          ...cardMenu({ cardId: card.id, detail, moreLinks, isExternal }),
        ]),
        ...contextIfAny(moreLinks ? CARD.moreLinks(moreLinks) : ''),
      ];
    case 'all':
      return [...buildWholeCard(view), ...actions(openButton(view))];
  }
}

const actions = (elements: (Button | Overflow)[]): ActionsBlock[] =>
  elements.length > 0 ? [{ type: 'actions', elements }] : [];

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
