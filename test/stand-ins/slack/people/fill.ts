import type { PlacedElement } from '../block-kit/view-elements.ts';
import type { OpenView } from '../state/views.ts';
import { actionOf, sendAction } from './actions.ts';
import type { Actor, Told } from './actor.ts';
import { type FieldValue, type Lookup, valueFor } from './field-values.ts';
import { fieldNamed } from './fields.ts';
import { suggestOptions } from './suggest.ts';

/**
 * Enters a value in a field of an open view, by label. Fields that dispatch notify the app at once; this waits for
 * its acknowledgment, not for a later change of the view, and throws if there was none (the value stays).
 */
export async function fillField(
  actor: Actor,
  open: OpenView,
  name: string,
  value: FieldValue,
): Promise<void> {
  const placed = fieldNamed(open.view, name);
  const lookup = (query: string) => suggestOptions(actor, open, placed, query);
  const told = await fillPlaced(actor, open, placed, value, lookup);
  if (told?.acknowledged !== false) return;
  throw new Error(`The app did not acknowledge "${name}": ${told.delivery.attempts[0]?.error}`);
}

/**
 * Enters a value in a given element.
 *
 * @param lookup gets a searched menu's options for a query
 * @returns the result of notifying the app; undefined if the field doesn't
 */
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
  state.feed.emit('view');
  if (placed.block.type === 'input' && placed.block.dispatch_action !== true) return undefined;
  return sendAction(actor, { kind: 'view', open }, actionOf(state, placed, held));
}
