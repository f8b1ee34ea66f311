import { type PlacedElement, placedElements } from '../block-kit/view-state.ts';
import { asObject, type JsonObject } from '../json.ts';
import type { OpenView } from '../state/model.ts';
import { textOf } from '../views/elements.ts';
import type { Actor, Told } from './actor.ts';
import { type FieldValue, type Lookup, valueFor } from './field-values.ts';
import { actionOf, sendAction, viewPlace } from './places.ts';
import { suggestOptions } from './suggest.ts';

/** Waits for the acknowledgment of fields that dispatch, not for a change of the view; throws if there is none. */
export async function fillField(actor: Actor, open: OpenView, name: string, value: FieldValue) {
  const placed = fieldNamed(open.view, name);
  const lookup = (query: string) => suggestOptions(actor, open, placed, query);
  const told = await fillPlaced(actor, open, placed, value, lookup);
  if (told?.acknowledged !== false) return;
  throw new Error(`The app did not acknowledge "${name}": ${told.delivery.attempts[0]?.error}`);
}

/** @returns the result of notifying the app; undefined if the field doesn't */
export async function fillPlaced(
  actor: Actor,
  open: OpenView,
  placed: PlacedElement,
  value: FieldValue,
  lookup: Lookup,
): Promise<Told | undefined> {
  const { state, user } = actor;
  const held = await valueFor(placed, value, { state, user, lookup });
  open.values[placed.blockId] = { ...open.values[placed.blockId], [placed.actionId]: held };
  delete open.errors[placed.blockId];
  state.feed.emit();
  if (placed.block.type === 'input' && placed.block.dispatch_action !== true) return undefined;
  return sendAction(actor, viewPlace(actor, open), actionOf(state, placed, held));
}

function namesOf({ block, element, blockId, actionId }: PlacedElement): string[] {
  const shown = block.type === 'input' ? block.label : block.text;
  const { placeholder, text } = element;
  return [shown, placeholder, text].map(textOf).concat(blockId, actionId).filter(Boolean);
}

/**
 * The element that a person means by a name: an input's label, a section's text, a placeholder, a button's text, or a
 * block or action ID. Throws, listing what exists, if there is none or (by label) several.
 */
export function fieldNamed(view: JsonObject, name: string): PlacedElement {
  const all = placedElements(view);
  const byLabel = all.filter(
    ({ block }) => block.type === 'input' && textOf(asObject(block.label)) === name,
  );
  if (byLabel.length > 1) throw new Error(`The view has ${byLabel.length} fields "${name}"`);
  const found = byLabel[0] ?? all.find((placed) => namesOf(placed).includes(name));
  if (found) return found;
  const there = all.map((placed) => namesOf(placed)[0]).join(', ');
  throw new Error(`The view has no field "${name}", only: ${there || 'none'}`);
}

export function labelOf(view: JsonObject, blockId: string): string {
  const placed = placedElements(view).find((one) => one.blockId === blockId);
  return placed ? (namesOf(placed)[0] ?? blockId) : blockId;
}
