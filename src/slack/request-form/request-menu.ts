import type { Button, Overflow } from '@slack/types';
import type { DesignRequest } from '../../requests/request.ts';
import { menuOf } from '../card/menu.ts';
import { accessibilityLabel } from '../text/blocks.ts';
import { WATCH_ACTIONS } from '../watching/ids.ts';
import { LIST } from '../words/command.ts';
import { WATCHING } from '../words/watching.ts';
import { REQUEST_AGAIN } from './ids.ts';

/**
 * What people can do with one of their requests in a list. With a card, that is more than fits next to its line, so it
 * is a menu.
 *
 * @param isWatched whether the person watches the card
 */
export function requestMenu(
  { id, form, state, cardId }: DesignRequest,
  isWatched: boolean,
): Button | Overflow | undefined {
  // Beside the question whether it arrived, this would make a second card.
  if (state === 'in_doubt') return undefined;
  const watch = isWatched
    ? { actionId: WATCH_ACTIONS.stop, label: WATCHING.stop }
    : { actionId: WATCH_ACTIONS.watch, label: WATCHING.watch };
  const [menu] =
    state === 'created' && cardId !== undefined
      ? menuOf([
          { actionId: REQUEST_AGAIN, label: LIST.requestAgain, value: id },
          { ...watch, value: cardId },
        ])
      : [];
  return (
    menu ?? {
      type: 'button',
      action_id: REQUEST_AGAIN,
      value: id,
      text: { type: 'plain_text', text: LIST.requestAgain },
      accessibility_label: accessibilityLabel(LIST.requestAgain, form.title),
    }
  );
}
