import { isEmpty } from './empty-value.ts';
import { initialValue, type StateValue } from './state-value.ts';
import { type PlacedElement, placedElements } from './view-elements.ts';

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
