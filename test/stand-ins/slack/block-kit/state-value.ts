import { isObject, type JsonObject } from '../json.ts';

/**
 * The value of one element in `view.state.values`: its type, and one property named after the kind
 * (`ViewStateValue` of @slack/bolt). Without a choice it is null, or an empty list if several can be chosen; an empty
 * rich text input has no `rich_text_value`.
 */
export type StateValue = {
  type: string;
  value?: string | null;
  selected_option?: JsonObject | null;
  selected_options?: JsonObject[];
  selected_conversation?: string | null;
  selected_date?: string | null;
  rich_text_value?: JsonObject;
  files?: JsonObject[];
};

type Value = Omit<StateValue, 'type'>;

function word(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function option(value: unknown): JsonObject | null {
  return isObject(value) ? value : null;
}

function chosen(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

const oneOption = (element: JsonObject): Value => ({
  selected_option: option(element.initial_option),
});
const manyOptions = (element: JsonObject): Value => ({
  selected_options: chosen(element.initial_options),
});

function oneConversation(element: JsonObject, current: string | undefined): Value {
  const shown = element.default_to_current_conversation === true ? current : undefined;
  return { selected_conversation: word(element.initial_conversation) ?? word(shown) };
}

function richText({ initial_value: initial }: JsonObject): Value {
  return isObject(initial) ? { rich_text_value: initial } : {};
}

type Start = (element: JsonObject, currentConversation: string | undefined) => Value;

const STARTS = new Map<unknown, Start>([
  ['plain_text_input', (element) => ({ value: word(element.initial_value) })],
  ['rich_text_input', richText],
  ['static_select', oneOption],
  ['external_select', oneOption],
  ['multi_static_select', manyOptions],
  ['multi_external_select', manyOptions],
  ['checkboxes', manyOptions],
  ['conversations_select', oneConversation],
  ['datepicker', (element) => ({ selected_date: word(element.initial_date) })],
  ['file_input', () => ({ files: [] })],
]);

/**
 * The initial value of an element, from its `initial_*`; `undefined` for elements without a value (buttons, overflow
 * menus, images), which aren't part of a view's state.
 */
export function initialValue(
  element: JsonObject,
  currentConversation?: string,
): StateValue | undefined {
  const start = STARTS.get(element.type);
  if (!start) return undefined;
  return structuredClone({ type: String(element.type), ...start(element, currentConversation) });
}
