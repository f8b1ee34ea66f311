import { byType, type Check, type Inspection, isObject, refuse, type Surface } from './check.ts';
import { LAYOUT_BLOCKS } from './layout-blocks.ts';
import { MESSAGE_BLOCKS, VIEW_BLOCKS } from './limits.ts';

// Rich text in an unfurl is answered with invalid_blocks (slackapi/java-slack-sdk#948), and in an unfurl there is no
// particular person who could fill in an input.
const { rich_text: _richText, input: _input, ...UNFURL_BLOCKS } = LAYOUT_BLOCKS;

const KINDS: Record<Surface, ReadonlyMap<string, Check>> = {
  message: new Map(Object.entries(LAYOUT_BLOCKS)),
  unfurl: new Map(Object.entries(UNFURL_BLOCKS)),
  modal: new Map(Object.entries(LAYOUT_BLOCKS)),
  home: new Map(Object.entries(LAYOUT_BLOCKS)),
};

const MOST_BLOCKS: Record<Surface, number> = {
  message: MESSAGE_BLOCKS,
  unfurl: MESSAGE_BLOCKS,
  modal: VIEW_BLOCKS,
  home: VIEW_BLOCKS,
};

const block = byType((type, { surface }) => KINDS[surface].get(type));

/** An array of blocks for the inspection's surface; block IDs are unique within the whole inspection. */
export function inspectBlocks(blocks: unknown, at: string, inspection: Inspection): void {
  if (!Array.isArray(blocks)) {
    refuse(inspection, 'must provide an array', at);
    return;
  }
  const most = MOST_BLOCKS[inspection.surface];
  if (blocks.length > most) refuse(inspection, `no more than ${most} items allowed`, at);
  for (const [i, each] of blocks.entries()) {
    block(each, `${at}/${i}`, inspection);
    noteBlockId(each, `${at}/${i}`, inspection);
  }
}

function noteBlockId(value: unknown, at: string, inspection: Inspection): void {
  if (!isObject(value) || typeof value.block_id !== 'string') return;
  if (inspection.blockIds.has(value.block_id)) {
    refuse(inspection, `\`block_id\` "${value.block_id}" already exists`, `${at}/block_id`);
  }
  inspection.blockIds.add(value.block_id);
}
