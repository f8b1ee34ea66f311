import type { EntityActionButton, EntityMetadata } from '@slack/types';
import type { CardView } from '../card/card-view.ts';
import { CARD_ACTIONS } from '../card/ids.ts';
import { writeRefreshValue } from '../card/menu.ts';
import { FORM_ACTIONS } from '../request-form/ids.ts';
import { accessibilityLabel } from '../text/blocks.ts';
import { BUTTON_URL_MAX, BUTTON_VALUE_MAX, typedText } from '../text/limits.ts';
import { WATCH_ACTIONS } from '../watching/ids.ts';
import { WATCHING } from '../words/card.ts';
import { WORK_OBJECT } from '../words/work-object.ts';

type EntityActions = NonNullable<EntityMetadata['entity_payload']['actions']>;

/**
 * A card's buttons, which have the same handlers as those in Block Kit; one that is too long for Slack is left out.
 *
 * @param title as plain text
 */
export function actionsOf(
  { card, url, moreLinks, isExternal, confirms }: CardView,
  title: string,
): EntityActions {
  const button = (text: string, action: Omit<EntityActionButton, 'text'>): EntityActionButton => ({
    text,
    accessibility_label: accessibilityLabel(text, title),
    ...action,
  });
  const open = button(WORK_OBJECT.open, { action_id: CARD_ACTIONS.open, url });
  // None that names a card whose ID Slack would change.
  if (card.id === '' || typedText(card.id) !== card.id) return asActions([open], []);
  const shown = writeRefreshValue({ cardId: card.id, detail: 'small', moreLinks, isExternal });
  const refreshed =
    confirms === undefined
      ? { action_id: CARD_ACTIONS.refresh, value: shown }
      : { action_id: FORM_ACTIONS.refresh, value: confirms };
  const refresh = button(WORK_OBJECT.refresh, refreshed);
  const again = button(WORK_OBJECT.again, { action_id: CARD_ACTIONS.again, value: card.id });
  const watch = button(WATCHING.watch, { action_id: WATCH_ACTIONS.watch, value: shown });
  return asActions([refresh, open], [watch, again]);
}

/** Slack refuses empty lists. */
function asActions(primary: EntityActionButton[], overflow: EntityActionButton[]): EntityActions {
  const [primary_actions, overflow_actions] = [primary, overflow].map((list) =>
    list.filter(isAccepted),
  );
  return {
    ...(primary_actions?.length ? { primary_actions } : {}),
    ...(overflow_actions?.length ? { overflow_actions } : {}),
  };
}

const isAccepted = ({ value, url }: EntityActionButton) =>
  (value ?? '').length <= BUTTON_VALUE_MAX && (url ?? '').length <= BUTTON_URL_MAX;
