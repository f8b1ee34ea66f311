import type { KnownBlock } from '@slack/types';
import { accessibilityLabel } from '../text/accessibility-label.ts';
import { context, section } from '../text/blocks.ts';
import { BUTTON_VALUE_MAX, clip, wellFormed } from '../text/limits.ts';
import { CARD, MISSING } from '../words/card.ts';
import { contextIfAny, linkedTitle } from './card-parts.ts';
import type { CardDetail } from './card-view.ts';
import { CARD_ACTIONS } from './ids.ts';
import { writeRefreshValue } from './refresh-value.ts';

/** A posted link whose card can't be shown, and why. */
export type MissingCard = {
  url: string;
  /** The link as Slack reported it. */
  postedAs: string;
  cardId: string;
  /** How much to show once the card can be read. */
  detail: CardDetail;
  moreLinks?: number | undefined;
  isExternal?: boolean | undefined;
  /** `pending`: shown later; `failed`: given up; `notFound`: the service refuses it. */
  missing: 'pending' | 'failed' | 'notFound';
};

/** Shown of a card's ID, in characters. */
const ID_SHOWN = 100;

/** Shown under a link instead of its card. It reveals nothing that only the service knows. */
export function buildMissingCardBlocks({
  url,
  cardId,
  detail,
  moreLinks,
  isExternal,
  missing,
}: MissingCard): KnownBlock[] {
  const title = CARD.untitled(clip(wellFormed(cardId), ID_SHOWN));
  const value = writeRefreshValue({
    cardId,
    detail: detail === 'large' ? 'large' : 'small',
    moreLinks,
    isExternal,
  });
  return [
    section(linkedTitle(url, title)),
    context(MISSING[missing]),
    ...(value.length > BUTTON_VALUE_MAX
      ? []
      : [
          {
            type: 'actions' as const,
            elements: [
              {
                type: 'button' as const,
                action_id: CARD_ACTIONS.refresh,
                text: { type: 'plain_text' as const, text: CARD.refresh },
                accessibility_label: accessibilityLabel(CARD.refresh, title),
                value,
              },
            ],
          },
        ]),
    ...contextIfAny(moreLinks ? CARD.moreLinks(moreLinks) : ''),
  ];
}
