import { asObject, isObject, type JsonObject, objectsOf } from '../json.ts';
import { interactiveElements, type Placed } from '../views/elements.ts';

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

const EMPTY_TEXT = { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [] }] };

/** For each element with a value: the property that holds it, what that is when empty, and what it is at first. */
const HELD: Record<string, [holds: keyof Value, empty: unknown, initial: string]> = {
  plain_text_input: ['value', '', 'initial_value'],
  rich_text_input: ['rich_text_value', EMPTY_TEXT, 'initial_value'],
  static_select: ['selected_option', null, 'initial_option'],
  external_select: ['selected_option', null, 'initial_option'],
  multi_static_select: ['selected_options', [], 'initial_options'],
  multi_external_select: ['selected_options', [], 'initial_options'],
  checkboxes: ['selected_options', [], 'initial_options'],
  conversations_select: ['selected_conversation', '', 'initial_conversation'],
  datepicker: ['selected_date', '', 'initial_date'],
  file_input: ['files', [], ''],
};

/** From its `initial_*`; `undefined` for elements without a value, which aren't part of a view's state. */
function initialValue(element: JsonObject, currentConversation?: string): StateValue | undefined {
  const type = String(element.type);
  const held = HELD[type];
  if (!held) return undefined;
  const [holds, empty, initial] = held;
  const current = element.default_to_current_conversation === true && currentConversation;
  const value = element[initial] || (holds === 'selected_conversation' && current);
  if (value) return structuredClone({ type, [holds]: value });
  if (holds === 'rich_text_value') return { type };
  return { type, [holds]: Array.isArray(empty) ? [] : null };
}

/** No entry, one without a value, null, or an empty value: real Slack differs by element, client, and payload. */
export const EMPTY_FORMS = ['missing', 'absent', 'null', 'empty'] as const;
export type EmptyForm = (typeof EMPTY_FORMS)[number];

/** Rich text that shows nothing: Slack's composer leaves empty sections behind. */
function showsNothing(node: unknown): boolean {
  if (!isObject(node)) return true;
  if (Array.isArray(node.elements)) return node.elements.every(showsNothing);
  return node.type === 'text' && node.text === '';
}

export function isEmpty({ type, rich_text_value, ...held }: StateValue): boolean {
  if (type === 'rich_text_input') return showsNothing(rich_text_value);
  return Object.values(held).every(
    (value) => value === null || value === '' || (Array.isArray(value) && value.length === 0),
  );
}

export function emptyEntry({ type }: StateValue, form: EmptyForm): JsonObject | undefined {
  const [holds, empty] = HELD[type] ?? ['value', ''];
  switch (form) {
    case 'missing':
      return undefined;
    case 'absent':
      return { type };
    case 'null':
      return { type, [holds]: null };
    case 'empty':
      return { type, [holds]: structuredClone(empty) };
  }
}

export type PlacedElement = Placed & { blockId: string; actionId: string };

/** What people can use, in order, if it has its IDs: Slack generates missing ones when it accepts a view. */
export function placedElements(view: unknown): PlacedElement[] {
  return interactiveElements(objectsOf(asObject(view).blocks)).flatMap(({ block, element }) => {
    const { block_id: blockId } = block;
    const { action_id: actionId } = element;
    if (typeof blockId !== 'string' || typeof actionId !== 'string') return [];
    return [{ blockId, actionId, element, block }];
  });
}

/** Values by block_id and action_id: what Slack sends as `view.state.values`. */
export type ViewState = Record<string, Record<string, StateValue>>;

export type FilledView = { view: unknown; state: ViewState };

function stateOf(view: unknown, valueFor: (placed: PlacedElement) => StateValue | undefined) {
  const state: ViewState = {};
  for (const placed of placedElements(view)) {
    const { blockId, actionId } = placed;
    const value = valueFor(placed);
    if (value) state[blockId] = { ...state[blockId], [actionId]: value };
  }
  return state;
}

/** Also of elements in sections and actions. `currentConversation` is where the person opened the view. */
export function initialState(view: unknown, currentConversation?: string): ViewState {
  return stateOf(view, ({ element }) => initialValue(element, currentConversation));
}

/** Values survive if block_id, action_id, and type stay the same, whatever the new `initial_*`; others start anew. */
export function carryState(previous: FilledView, next: unknown, currentConversation?: string) {
  const kinds = new Set(placedElements(previous.view).map(kindAtIds));
  return stateOf(next, (placed) => {
    const before = previous.state[placed.blockId]?.[placed.actionId];
    if (before && kinds.has(kindAtIds(placed))) return structuredClone(before);
    return initialValue(placed.element, currentConversation);
  });
}

function kindAtIds({ blockId, actionId, element }: PlacedElement): string {
  return JSON.stringify([blockId, actionId, element.type]);
}

/** Similar to what Slack's clients say; their wording isn't documented. */
const REQUIRED = 'Please complete this required field.';

function complaint({ block, element }: PlacedElement, value: StateValue): string | undefined {
  if (isEmpty(value)) return block.optional === true ? undefined : REQUIRED;
  if (typeof value.value !== 'string') return undefined;
  const { max_length: most } = element;
  if (typeof most === 'number' && value.value.length > most) {
    return `Please enter no more than ${most} characters.`;
  }
  return undefined;
}

/** Why Slack itself refuses to submit: required inputs left empty, texts too long. The app gets no submission. */
export function missingInputs(view: unknown, state: ViewState) {
  return placedElements(view).flatMap((placed) => {
    const { blockId, actionId, element, block } = placed;
    if (block.type !== 'input') return [];
    const value = state[blockId]?.[actionId] ?? { type: String(element.type) };
    const message = complaint(placed, value);
    return message === undefined ? [] : [{ blockId, message }];
  });
}
