import type { ActionsBlock, Button, KnownBlock, Overflow } from '@slack/types';
import { section } from '../text/blocks.ts';
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
