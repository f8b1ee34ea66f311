import { type Check, list, oneOfKinds, shape, typed } from './check.ts';
import { LIST_INDENT, TEXT_OBJECT_CHARS } from './limits.ts';
import {
  channelId,
  flag,
  id,
  integer,
  linkUrl,
  oneOf,
  teamId,
  text,
  usergroupId,
  userId,
  webUrl,
} from './scalar.ts';

/** Slack documents no limit for rich text; the app's own texts are far shorter. */
const RICH_TEXT_CHARS = 12_000;
const RICH_TEXT_ELEMENTS = 1000;
const MAX_SKIN_TONE = 6;

const FLAGS = { bold: flag, italic: flag, strike: flag, underline: flag, code: flag };
const style = shape({ optional: FLAGS });
const mentionStyle = shape({
  optional: { ...FLAGS, highlight: flag, client_highlight: flag, unlink: flag },
});

const textRun = typed({ required: { text: text(1, RICH_TEXT_CHARS) }, optional: { style } });
const link = typed({
  required: { url: linkUrl },
  optional: { text: text(1, RICH_TEXT_CHARS), unsafe: flag, style },
});

function mention(name: string, check: Check): Check {
  return typed({ required: { [name]: check }, optional: { style: mentionStyle } });
}

const inline = oneOfKinds({
  text: textRun,
  link,
  user: mention('user_id', userId),
  usergroup: mention('usergroup_id', usergroupId),
  channel: mention('channel_id', channelId),
  team: mention('team_id', teamId),
  broadcast: mention('range', oneOf('here', 'channel', 'everyone')),
  emoji: typed({
    required: { name: text(1, TEXT_OBJECT_CHARS) },
    optional: {
      unicode: text(1, TEXT_OBJECT_CHARS, /^[0-9a-f]+(-[0-9a-f]+)*$/),
      url: webUrl,
      skin_tone: integer(1, MAX_SKIN_TONE),
      style,
    },
  }),
  date: typed({
    required: {
      timestamp: integer(0, Number.MAX_SAFE_INTEGER),
      format: text(1, TEXT_OBJECT_CHARS),
    },
    optional: { url: webUrl, fallback: text(1, TEXT_OBJECT_CHARS), style },
  }),
  color: typed({ required: { value: text(1, 7, /^#[0-9a-fA-F]{6}$/) }, optional: { style } }),
});

// Slack's own composer sends sections without elements (an empty list item), so they are accepted.
function runs(item: Check): Check {
  return list(0, RICH_TEXT_ELEMENTS, item);
}

const border = oneOf(0, 1);
const section = typed({ required: { elements: runs(inline) } });

const paragraph = oneOfKinds({
  rich_text_section: section,
  rich_text_list: typed({
    required: {
      elements: list(1, RICH_TEXT_ELEMENTS, oneOfKinds({ rich_text_section: section })),
      style: oneOf('bullet', 'ordered'),
    },
    optional: {
      indent: integer(0, LIST_INDENT),
      offset: integer(0, Number.MAX_SAFE_INTEGER),
      border,
    },
  }),
  rich_text_quote: typed({ required: { elements: runs(inline) }, optional: { border } }),
  rich_text_preformatted: typed({
    required: { elements: runs(oneOfKinds({ text: textRun, link })) },
    optional: { border },
  }),
});

/** The properties of a rich_text block, for the block itself and for values that contain one. */
export const RICH_TEXT_PROPERTIES = { elements: list(1, RICH_TEXT_ELEMENTS, paragraph) };

/** A rich_text block as a value: an input's initial value, or the cell of a table. */
export const richTextValue: Check = oneOfKinds({
  rich_text: typed({ required: RICH_TEXT_PROPERTIES, optional: { block_id: id } }),
});
