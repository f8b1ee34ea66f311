import { isObject, type JsonObject, objectsOf } from '../json.ts';

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
