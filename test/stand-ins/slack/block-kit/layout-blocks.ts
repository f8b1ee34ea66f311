import { anyOf, type Check, list, type Rule, refuse, typed } from './check.ts';
import { altText, anyText, plainText } from './composition.ts';
import { elementAt } from './element.ts';
import {
  ACTIONS_ELEMENTS,
  CONTEXT_ELEMENTS,
  HEADER_TEXT_CHARS,
  IMAGE_TITLE_CHARS,
  INPUT_HINT_CHARS,
  INPUT_LABEL_CHARS,
  SECTION_FIELD_CHARS,
  SECTION_FIELDS,
  SECTION_TEXT_CHARS,
} from './limits.ts';
import { RICH_TEXT_PROPERTIES } from './rich-text.ts';
import { flag, id, webUrl } from './scalar.ts';

const BLOCK = { block_id: id };

/** "Should be unique among all other action_ids in the containing block"; Slack refuses duplicates. */
const actionIdsDiffer: Rule = (block, at, inspection) => {
  if (!Array.isArray(block.elements)) return;
  const seen = new Set<unknown>();
  for (const [i, element] of block.elements.entries()) {
    const actionId: unknown = element?.action_id;
    if (typeof actionId !== 'string') continue;
    if (seen.has(actionId)) {
      refuse(
        inspection,
        `\`action_id\` "${actionId}" already exists`,
        `${at}/elements/${i}/action_id`,
      );
    }
    seen.add(actionId);
  }
};

/** A file input dispatches no actions, according to the reference of the input block. */
const dispatchesNoFiles: Rule = (block, at, inspection) => {
  const element = block.element;
  const isFile = typeof element === 'object' && element && 'type' in element;
  if (block.dispatch_action === true && isFile && element.type === 'file_input') {
    refuse(inspection, 'invalid additional property: dispatch_action', at);
  }
};

/** The blocks that the app shows, by block type. Others are refused, too. */
export const LAYOUT_BLOCKS: Record<string, Check> = {
  section: typed(
    {
      optional: {
        ...BLOCK,
        text: anyText(SECTION_TEXT_CHARS),
        fields: list(1, SECTION_FIELDS, anyText(SECTION_FIELD_CHARS)),
        accessory: elementAt('accessory'),
      },
    },
    anyOf('text', 'fields'),
  ),
  header: typed({ required: { text: plainText(HEADER_TEXT_CHARS) }, optional: BLOCK }),
  divider: typed({ optional: BLOCK }),
  context: typed({
    required: { elements: list(1, CONTEXT_ELEMENTS, elementAt('context')) },
    optional: BLOCK,
  }),
  image: typed({
    required: { alt_text: altText, image_url: webUrl },
    optional: { ...BLOCK, title: plainText(IMAGE_TITLE_CHARS) },
  }),
  actions: typed(
    { required: { elements: list(1, ACTIONS_ELEMENTS, elementAt('actions')) }, optional: BLOCK },
    actionIdsDiffer,
  ),
  input: typed(
    {
      required: { label: plainText(INPUT_LABEL_CHARS), element: elementAt('input') },
      optional: {
        ...BLOCK,
        hint: plainText(INPUT_HINT_CHARS),
        optional: flag,
        dispatch_action: flag,
      },
    },
    dispatchesNoFiles,
  ),
  rich_text: typed({ required: RICH_TEXT_PROPERTIES, optional: BLOCK }),
};
