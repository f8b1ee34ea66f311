import type { StateValue } from '../block-kit/view-state.ts';
import type { JsonObject } from '../json.ts';
import type { SlackState } from '../state/state.ts';
import { issueTrigger } from '../state/triggers.ts';
import { type Actor, interact, told } from './actor.ts';
import type { Place } from './places.ts';

/** The part of an action besides its IDs: the new value, or a button's text and value. */
export function actionOf(
  { ids }: SlackState,
  { block, element }: { block: JsonObject; element: JsonObject },
  held: StateValue | JsonObject,
): JsonObject {
  const { text, value, style, url } = element;
  const ofButton = element.type === 'button' ? { text, value, style, url } : {};
  const chosen = Object.fromEntries(Object.entries(held).filter(([name]) => name !== 'type'));
  return {
    type: element.type,
    action_id: element.action_id,
    block_id: block.block_id,
    ...ofButton,
    ...chosen,
    action_ts: ids.ts(),
  };
}

export async function sendAction(actor: Actor, place: Place, action: JsonObject) {
  const onBehalf = { ...actor, workspace: place.workspace };
  const delivery = await interact(onBehalf, 'block_actions', {
    ...place.payload(onBehalf),
    trigger_id: issueTrigger(onBehalf, place.channelId, place.pane),
    actions: [action],
  });
  return told(delivery);
}
