import { isObject, type JsonObject, objectsOf } from '../json.ts';

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

/** The property with the value of each element that has one, and that value when empty. */
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

function word(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/**
 * The initial value of an element, from its `initial_*`; `undefined` for elements without a value (buttons, overflow
 * menus, images), which aren't part of a view's state.
 */
function initialValue(element: JsonObject, currentConversation?: string): StateValue | undefined {
  const type = String(element.type);
  if (!Object.hasOwn(EMPTY, type)) return undefined;
  const { initial_value: text, initial_option: one, initial_options: several } = element;
  const shown = element.default_to_current_conversation === true ? currentConversation : undefined;
  const values: Value = {
    value: word(text),
    ...(isObject(text) ? { rich_text_value: text } : {}),
    selected_option: isObject(one) ? one : null,
    selected_options: Array.isArray(several) ? several.filter(isObject) : [],
    selected_conversation: word(element.initial_conversation) ?? word(shown),
    selected_date: word(element.initial_date),
    files: [],
  };
  const held = Object.entries(values).filter(([name]) => name in (EMPTY[type] ?? {}));
  return structuredClone({ type, ...Object.fromEntries(held) });
}

/**
 * How a payload can represent an empty field: no entry, an entry without a value, null, or an empty value. Real
 * Slack differs by element, client, and payload.
 */
export const EMPTY_FORMS = ['missing', 'absent', 'null', 'empty'] as const;
export type EmptyForm = (typeof EMPTY_FORMS)[number];

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

/** An element with an action_id, and the block with a block_id that contains it. */
export type PlacedElement = {
  blockId: string;
  actionId: string;
  element: JsonObject;
  block: JsonObject;
};

function elementsOf(block: JsonObject): JsonObject[] {
  if (block.type === 'input') return objectsOf([block.element]);
  if (block.type === 'section') return objectsOf([block.accessory]);
  return block.type === 'actions' ? objectsOf(block.elements) : [];
}

/**
 * The elements of a view (or of anything with `blocks`) that people can use, in order. Blocks without a block_id and
 * elements without an action_id are omitted: Slack generates these IDs when it accepts the view, so a stand-in has to
 * add them first.
 */
export function placedElements(view: unknown): PlacedElement[] {
  if (!isObject(view)) return [];
  return objectsOf(view.blocks).flatMap((block) =>
    elementsOf(block).flatMap((element) => {
      const { block_id: blockId } = block;
      const { action_id: actionId } = element;
      if (typeof blockId !== 'string' || typeof actionId !== 'string') return [];
      return [{ blockId, actionId, element, block }];
    }),
  );
}

/** Values by block_id and action_id: what Slack sends as `view.state.values`. */
export type ViewState = Record<string, Record<string, StateValue>>;

/** A view together with what the person has filled in. */
export type FilledView = { view: unknown; state: ViewState };

function stateOf(
  view: unknown,
  valueFor: (placed: PlacedElement) => StateValue | undefined,
): ViewState {
  const state = new Map<string, Map<string, StateValue>>();
  for (const placed of placedElements(view)) {
    const value = valueFor(placed);
    if (!value) continue;
    const block = state.get(placed.blockId) ?? new Map<string, StateValue>();
    state.set(placed.blockId, block.set(placed.actionId, value));
  }
  // Object.fromEntries also accepts IDs such as `__proto__` as plain keys.
  return Object.fromEntries([...state].map(([id, values]) => [id, Object.fromEntries(values)]));
}

function valueAt(state: ViewState, blockId: string, actionId: string): StateValue | undefined {
  const block = Object.hasOwn(state, blockId) ? state[blockId] : undefined;
  return block && Object.hasOwn(block, actionId) ? block[actionId] : undefined;
}

/**
 * The initial state of a view, from the `initial_*` of its elements: inputs, and menus, pickers, and choices in
 * sections and actions too. Elements without IDs are omitted (see placedElements). `currentConversation` is the ID of
 * the conversation in which the person opened the view, for `default_to_current_conversation`.
 */
export function initialState(view: unknown, currentConversation?: string): ViewState {
  return stateOf(view, ({ element }) => initialValue(element, currentConversation));
}

/**
 * The state after `views.update`: values survive if block_id, action_id, and the kind of the element stay the same,
 * whatever the new `initial_*`; everything else starts with its initial value.
 */
export function carryState(
  previous: FilledView,
  next: unknown,
  currentConversation?: string,
): ViewState {
  const kinds = new Set(placedElements(previous.view).map(kindAtIds));
  return stateOf(next, (placed) => {
    const before = valueAt(previous.state, placed.blockId, placed.actionId);
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

/**
 * The inputs because of which Slack itself refuses to submit the view: required ones left empty, and texts longer than
 * the element allows. The app then gets no submission at all.
 */
export function missingInputs(
  view: unknown,
  state: ViewState,
): { blockId: string; message: string }[] {
  return placedElements(view).flatMap((placed) => {
    const { blockId, actionId, element, block } = placed;
    if (block.type !== 'input') return [];
    const value = valueAt(state, blockId, actionId) ?? { type: String(element.type) };
    const message = complaint(placed, value);
    return message === undefined ? [] : [{ blockId, message }];
  });
}
