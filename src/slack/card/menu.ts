import type { BlockElementAction } from '@slack/bolt';
import type { Overflow } from '@slack/types';
import { OPTION_VALUE_MAX } from '../text/limits.ts';
import { CARD, WATCHING } from '../words/card.ts';
import type { PreviewSize } from './card-view.ts';

/** The action IDs of a card's buttons and of its “⋯” menu. */
export const CARD_ACTIONS = {
  menu: 'card-menu',
  open: 'card-open',
  refresh: 'card-refresh',
  share: 'card-share',
  again: 'card-request-again',
  showAll: 'card-show-all',
  watch: 'card-watch',
  /** Its value is the card's ID. */
  stopWatching: 'card-stop-watching',
} as const;

/** An entry of a “⋯” menu. Choosing it is like pressing a button with this action ID and value. */
type MenuEntry = { actionId: string; label: string; value: string };

/** The entries of a card's menu; their handlers are in `routes.ts`. */
export function cardMenu(shown: RefreshValue): Overflow[] {
  const { cardId } = shown;
  const value = writeRefreshValue(shown);
  return menuOf([
    { actionId: CARD_ACTIONS.refresh, label: CARD.refresh, value },
    { actionId: CARD_ACTIONS.watch, label: WATCHING.watch, value },
    { actionId: CARD_ACTIONS.again, label: CARD.again, value: cardId },
    { actionId: CARD_ACTIONS.showAll, label: CARD.showAll, value: cardId },
  ]);
}

/** A “⋯” menu; entries whose value is too long for Slack are left out. */
export function menuOf(entries: readonly MenuEntry[]): Overflow[] {
  const options = entries
    .map(({ actionId, label, value }) => ({
      text: { type: 'plain_text' as const, text: label },
      value: `${actionId}:${value}`,
    }))
    .filter(({ value }) => value.length <= OPTION_VALUE_MAX);
  return options.length > 0 ? [{ type: 'overflow', action_id: CARD_ACTIONS.menu, options }] : [];
}

/** The button press that choosing an entry of a menu stands for; other actions are what they are. */
export function pressedAction(action: BlockElementAction): BlockElementAction {
  if (action.type !== 'overflow') return action;
  const { block_id, action_ts, selected_option: chosen } = action;
  // A delivery may lack the option, whatever Slack's types say. Then nothing handles it.
  const [actionId = '', ...value] = (chosen?.value ?? '').split(':');
  return {
    type: 'button',
    action_id: actionId,
    block_id,
    action_ts,
    text: chosen?.text,
    value: value.join(':'),
  };
}

/** The value of Refresh: which card, and how it is shown. */
export type RefreshValue = {
  cardId: string;
  detail: PreviewSize;
  /** How many more links the message has, see `CardView`. */
  moreLinks?: number | undefined;
  /** Whether another company sees it, see `CardView`. */
  isExternal?: boolean | undefined;
};

/** Short, because it must fit into an option of a menu, next to an action ID. */
export const writeRefreshValue = ({ cardId, detail, moreLinks, isExternal }: RefreshValue) =>
  `${detail}${isExternal ? '/ext' : ''}${moreLinks ? `+${moreLinks}` : ''}:${cardId}`;

const WRITTEN = /^(large|small)(\/ext)?(?:\+(\d{1,4}))?:(.+)$/s;

/** @returns undefined if it isn't this app's */
export function readRefreshValue(text: string | undefined): RefreshValue | undefined {
  const [, detail, external, moreLinks, cardId] = WRITTEN.exec(text ?? '') ?? [];
  if (cardId === undefined) return undefined;
  return {
    cardId,
    detail: detail === 'large' ? 'large' : 'small',
    ...(moreLinks === undefined ? {} : { moreLinks: Number(moreLinks) }),
    ...(external === undefined ? {} : { isExternal: true }),
  };
}
