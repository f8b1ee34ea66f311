import { isObject, type JsonObject } from '../json.ts';
import type { StateValue } from './state-value.ts';

/**
 * How a payload can represent an empty field: no entry, an entry without a value, null, or an empty value. Real
 * Slack differs by element, client, and payload.
 */
export const EMPTY_FORMS = ['missing', 'absent', 'null', 'empty'] as const;
export type EmptyForm = (typeof EMPTY_FORMS)[number];

/** The property with the value of each element that can be empty, and that value when empty. */
const EMPTY: Record<string, JsonObject> = {
  plain_text_input: { value: '' },
  rich_text_input: {
    rich_text_value: {
      type: 'rich_text',
      elements: [{ type: 'rich_text_section', elements: [] }],
    },
  },
  static_select: { selected_option: null },
  external_select: { selected_option: null },
  multi_static_select: { selected_options: [] },
  multi_external_select: { selected_options: [] },
  checkboxes: { selected_options: [] },
  conversations_select: { selected_conversation: '' },
  datepicker: { selected_date: '' },
  file_input: { files: [] },
};

/** Rich text that shows nothing: Slack's composer leaves empty sections behind. */
function showsNothing(node: unknown): boolean {
  if (!isObject(node)) return true;
  if (Array.isArray(node.elements)) return node.elements.every(showsNothing);
  return node.type === 'text' && node.text === '';
}

/** Whether nothing was entered. */
export function isEmpty({ type, rich_text_value, ...held }: StateValue): boolean {
  if (type === 'rich_text_input') return showsNothing(rich_text_value);
  return Object.values(held).every(
    (value) => value === null || value === '' || (Array.isArray(value) && value.length === 0),
  );
}

/** An empty field's entry in `view.state.values`; undefined if the entry is missing. */
export function emptyEntry({ type }: StateValue, form: EmptyForm): JsonObject | undefined {
  const empty = EMPTY[type] ?? {};
  switch (form) {
    case 'missing':
      return undefined;
    case 'absent':
      return { type };
    case 'null':
      return { type, ...Object.fromEntries(Object.keys(empty).map((name) => [name, null])) };
    case 'empty':
      return { type, ...structuredClone(empty) };
  }
}
