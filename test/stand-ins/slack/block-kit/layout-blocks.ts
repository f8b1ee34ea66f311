import { anyOf, type Check, eitherOr, list, type Rule, refuse, typed } from './check.ts';
import { altText, anyText, plainText, slackFile } from './composition.ts';
import { elementAt } from './element.ts';
import {
  ACTIONS_ELEMENTS,
  CONTEXT_ELEMENTS,
  HEADER_TEXT_CHARS,
  ID_CHARS,
  IMAGE_TITLE_CHARS,
  INPUT_HINT_CHARS,
  INPUT_LABEL_CHARS,
  SECTION_FIELD_CHARS,
  SECTION_FIELDS,
  SECTION_TEXT_CHARS,
  TEXT_OBJECT_CHARS,
  VIDEO_AUTHOR_CHARS,
  VIDEO_TITLE_CHARS,
} from './limits.ts';
import { RICH_TEXT_PROPERTIES } from './rich-text.ts';
import { flag, id, secureUrl, text, webUrl } from './scalar.ts';

const BLOCK = { block_id: id };

/** "Should be unique among all other action_ids in the containing block"; Slack refuses duplicates. */
export const actionIdsDiffer: Rule = (block, at, inspection) => {
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

/** Blocks for text, pictures, and controls, by block type. */
export const LAYOUT_BLOCKS: Record<string, Check> = {
  section: typed(
    {
      optional: {
        ...BLOCK,
        text: anyText(SECTION_TEXT_CHARS),
        fields: list(1, SECTION_FIELDS, anyText(SECTION_FIELD_CHARS)),
        accessory: elementAt('accessory'),
        expand: flag,
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
  image: typed(
    {
      required: { alt_text: altText },
      optional: {
        ...BLOCK,
        image_url: webUrl,
        slack_file: slackFile,
        title: plainText(IMAGE_TITLE_CHARS),
      },
    },
    eitherOr('image_url', 'slack_file'),
  ),
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
  video: typed({
    required: {
      video_url: secureUrl,
      thumbnail_url: webUrl,
      alt_text: altText,
      title: plainText(VIDEO_TITLE_CHARS),
    },
    optional: {
      ...BLOCK,
      title_url: secureUrl,
      author_name: text(1, VIDEO_AUTHOR_CHARS),
      provider_name: text(1, ID_CHARS),
      provider_icon_url: webUrl,
      description: plainText(TEXT_OBJECT_CHARS),
    },
  }),
};
