import { type PlacedElement, placedElements } from '../block-kit/view-elements.ts';
import { asObject, type JsonObject } from '../json.ts';
import { textOf } from '../views/elements.ts';

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

/** The label by which people know a block. */
export function labelOf(view: JsonObject, blockId: string): string {
  const placed = placedElements(view).find((one) => one.blockId === blockId);
  return placed ? (namesOf(placed)[0] ?? blockId) : blockId;
}
