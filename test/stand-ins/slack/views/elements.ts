import { asObject, asText, type JsonObject, objectsOf } from '../json.ts';
import type { Ids } from '../state/ids.ts';

export interface Placed {
  block: JsonObject;
  element: JsonObject;
}

const MADE_UP_ID_BYTES = 3;
const SILENT_TYPES = new Set(['image', 'plain_text', 'mrkdwn']);

function heldBy(block: JsonObject): JsonObject[] {
  if (block.type === 'input') return objectsOf([block.element]);
  if (block.type === 'section') return objectsOf([block.accessory]);
  return block.type === 'rich_text' ? [] : objectsOf(block.elements);
}

/** Every element that a person can press, choose from, or type into, in order. */
export function interactiveElements(blocks: JsonObject[]): Placed[] {
  return blocks.flatMap((block) =>
    heldBy(block)
      .filter((element) => !SILENT_TYPES.has(asText(element.type)))
      .map((element) => ({ block, element })),
  );
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : asText(asObject(value).text);
}

/** Slack generates missing block_ids and action_ids, new ones at every update. */
export function withIds(blocks: unknown, ids: Ids): JsonObject[] {
  const newId = () => ids.secret(MADE_UP_ID_BYTES);
  const copies = structuredClone(objectsOf(blocks));
  for (const block of copies) block.block_id ??= newId();
  for (const { element } of interactiveElements(copies)) element.action_id ??= newId();
  return copies;
}
