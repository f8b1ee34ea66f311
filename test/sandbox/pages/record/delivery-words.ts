import type { Delivery } from '../../../stand-ins/slack/dispatch/delivery.ts';
import { asObject, asText, type JsonObject, objectsOf } from '../../../stand-ins/slack/json.ts';
import type { SlackState } from '../../../stand-ins/slack/state/state.ts';
import { textOf } from '../../../stand-ins/slack/views/elements.ts';

/** What Slack sends to the app: who did what, in a few words. */
export type DeliveryWords = { title: string; about: string };

export function wordsForDelivery({ kind, payload }: Delivery, state: SlackState): DeliveryWords {
  const who = nameOf(payload, state);
  switch (kind) {
    case 'command':
      return {
        title: `${who} typed ${asText(payload.command)}`,
        about: asText(payload.text),
      };
    case 'event':
      return wordsForEvent(asObject(payload.event), state);
    case 'block_actions':
      return wordsForAction(who, objectsOf(payload.actions)[0] ?? {});
    case 'block_suggestion':
      return {
        title: `${who} searched ${asText(payload.action_id)}`,
        about: asText(payload.value),
      };
    case 'view_submission':
      return { title: `${who} sent “${titleOf(payload)}”`, about: callbackOf(payload) };
    case 'view_closed':
      return { title: `${who} closed “${titleOf(payload)}”`, about: callbackOf(payload) };
    case 'shortcut':
    case 'message_action':
      return { title: `${who} used a shortcut`, about: asText(payload.callback_id) };
  }
}

function nameOf(payload: JsonObject, state: SlackState): string {
  const id = asText(payload.user_id) || asText(asObject(payload.user).id);
  return state.users.get(id)?.realName ?? 'Slack';
}

function wordsForEvent(event: JsonObject, state: SlackState): DeliveryWords {
  const type = asText(event.type);
  if (type !== 'link_shared') return { title: type, about: '' };
  const who = state.users.get(asText(event.user))?.realName ?? 'Someone';
  const links = objectsOf(event.links);
  const what = links.length === 1 ? 'a card link' : `${links.length} card links`;
  return event.source === 'composer'
    ? { title: `${who} is typing ${what}`, about: 'link_shared, composer' }
    : { title: `${who} posted ${what}`, about: 'link_shared' };
}

function wordsForAction(who: string, action: JsonObject): DeliveryWords {
  const id = asText(action.action_id);
  if (action.type === 'button')
    return { title: `${who} pressed ${textOf(action.text)}`, about: id };
  const chosen = [action.selected_option, ...objectsOf(action.selected_options)].map((option) =>
    textOf(asObject(option).text),
  );
  return { title: `${who} chose ${chosen.filter(Boolean).join(', ') || 'nothing'}`, about: id };
}

const titleOf = (payload: JsonObject) => textOf(asObject(payload.view).title);
const callbackOf = (payload: JsonObject) => asText(asObject(payload.view).callback_id);
