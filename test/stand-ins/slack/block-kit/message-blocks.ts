import {
  anyOf,
  byType,
  type Check,
  list,
  oneOfKinds,
  type Rule,
  refuse,
  shape,
  typed,
} from './check.ts';
import { button } from './choice-elements.ts';
import { anyText, mrkdwnText, plainText } from './composition.ts';
import { elementAt, imageElement } from './element.ts';
import { actionIdsDiffer, LAYOUT_BLOCKS } from './layout-blocks.ts';
import {
  CARD_BODY_CHARS,
  CARD_TITLE_CHARS,
  CAROUSEL_CARDS,
  CONTAINER_BLOCKS,
  CONTAINER_TITLE_CHARS,
  CONTEXT_ACTIONS_ELEMENTS,
  DATA_TABLE_PAGE_ROWS,
  ID_CHARS,
  MARKDOWN_CHARS,
  TABLE_CELLS,
  TABLE_ROWS,
  TEXT_OBJECT_CHARS,
} from './limits.ts';
import { richTextValue } from './rich-text.ts';
import { flag, id, integer, oneOf, text, webUrl } from './scalar.ts';

const BLOCK = { block_id: id };
const LONG_TEXT = text(1, TEXT_OBJECT_CHARS);

const finiteNumber: Check = (value, at, inspection) => {
  if (!Number.isFinite(value)) refuse(inspection, 'must provide a number', at);
};

const cell = oneOfKinds({
  raw_text: typed({ required: { text: LONG_TEXT } }),
  raw_number: typed({ required: { value: finiteNumber, text: LONG_TEXT } }),
  rich_text: richTextValue,
});
const rows = list(1, TABLE_ROWS, list(1, TABLE_CELLS, cell));

/** One table per message, according to the reference of the table block. */
const onlyTable: Rule = (_block, at, inspection) => {
  inspection.tables += 1;
  if (inspection.tables > 1) refuse(inspection, 'only one table allowed', at);
};

/** The limit applies to all markdown blocks of a payload together. */
const markdownInTotal: Rule = (block, at, inspection) => {
  if (typeof block.text !== 'string') return;
  inspection.markdownChars += block.text.length;
  const isTooLong = inspection.markdownChars > MARKDOWN_CHARS;
  if (isTooLong && block.text.length <= MARKDOWN_CHARS) {
    refuse(inspection, `must be less than ${MARKDOWN_CHARS + 1} characters`, `${at}/text`);
  }
};

const card = typed(
  {
    optional: {
      ...BLOCK,
      hero_image: oneOfKinds({ image: imageElement }),
      icon: oneOfKinds({ image: imageElement }),
      title: mrkdwnText(CARD_TITLE_CHARS),
      subtitle: mrkdwnText(CARD_TITLE_CHARS),
      body: mrkdwnText(CARD_BODY_CHARS),
      actions: list(1, CONTEXT_ACTIONS_ELEMENTS, oneOfKinds({ button })),
    },
  },
  anyOf('hero_image', 'title', 'actions', 'body'),
);

const MAX_TASKS = 50;
const MAX_SOURCES = 50;
const taskCard = typed({
  required: {
    task_id: text(1, ID_CHARS),
    title: LONG_TEXT,
    status: oneOf('pending', 'in_progress', 'complete', 'error'),
  },
  optional: {
    ...BLOCK,
    details: richTextValue,
    output: richTextValue,
    sources: list(
      0,
      MAX_SOURCES,
      oneOfKinds({ url: typed({ required: { url: webUrl, text: LONG_TEXT } }) }),
    ),
  },
});

const file = typed({
  required: { source: oneOf('remote'), external_id: text(1, ID_CHARS) },
  optional: BLOCK,
});
const table = typed(
  {
    required: { rows },
    optional: {
      ...BLOCK,
      column_settings: list(
        0,
        TABLE_CELLS,
        shape({ optional: { align: oneOf('left', 'center', 'right'), is_wrapped: flag } }),
      ),
    },
  },
  onlyTable,
);

// The child blocks that @slack/types names for a container.
const CHILDREN: Record<string, Check | undefined> = { ...LAYOUT_BLOCKS, file, table };
const child: Check = byType((type) => (Object.hasOwn(CHILDREN, type) ? CHILDREN[type] : undefined));

/** Blocks only for messages: neither views nor unfurls are known to accept them. */
export const MESSAGE_BLOCKS_ONLY: Record<string, Check> = {
  file,
  table,
  card,
  task_card: taskCard,
  markdown: typed(
    { required: { text: text(1, MARKDOWN_CHARS) }, optional: BLOCK },
    markdownInTotal,
  ),
  context_actions: typed(
    {
      required: { elements: list(1, CONTEXT_ACTIONS_ELEMENTS, elementAt('context_actions')) },
      optional: BLOCK,
    },
    actionIdsDiffer,
  ),
  alert: typed({
    required: { text: anyText(TEXT_OBJECT_CHARS) },
    optional: { ...BLOCK, level: oneOf('default', 'info', 'warning', 'error', 'success') },
  }),
  carousel: typed({
    required: { elements: list(1, CAROUSEL_CARDS, oneOfKinds({ card })) },
    optional: BLOCK,
  }),
  data_table: typed({
    required: { rows, caption: LONG_TEXT },
    optional: {
      ...BLOCK,
      page_size: integer(1, DATA_TABLE_PAGE_ROWS),
      row_header_column_index: integer(0, TABLE_CELLS - 1),
    },
  }),
  container: typed(
    {
      required: { child_blocks: list(1, CONTAINER_BLOCKS, child) },
      optional: {
        ...BLOCK,
        title: plainText(CONTAINER_TITLE_CHARS),
        rich_text_title: richTextValue,
        subtitle: anyText(CONTAINER_TITLE_CHARS),
        width: oneOf('narrow', 'standard', 'wide', 'full'),
        icon: oneOfKinds({ image: imageElement }),
        is_collapsible: flag,
        default_collapsed: flag,
        has_header_divider: flag,
      },
    },
    anyOf('title', 'rich_text_title'),
  ),
  plan: typed({
    required: { title: LONG_TEXT },
    optional: { ...BLOCK, tasks: list(0, MAX_TASKS, oneOfKinds({ task_card: taskCard })) },
  }),
};
