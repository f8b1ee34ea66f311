import { z } from 'zod';
import { flag, id, kind, linkUrl, oneOf, text } from './parts.ts';

// Source: docs.slack.dev/reference/block-kit/blocks/rich-text-block. Slack documents no limits for texts and for
// the number of elements; the app's own are far smaller.
const MOST_CHARS = 12_000;
const MOST_ELEMENTS = 1000;
const words = text(3000);
const count = z.int().min(0);

const style = z
  .strictObject({ bold: flag, italic: flag, strike: flag, underline: flag, code: flag })
  .partial();
/** The formats of Slack's IDs, from its OpenAPI description (github.com/slackapi/slack-api-specs). */
const idOf = (prefixes: string) => id.regex(new RegExp(`^[${prefixes}][A-Z0-9]+$`));

const run = kind('text', { text: text(MOST_CHARS) }, { style });
const link = kind('link', { url: linkUrl }, { text: text(MOST_CHARS), style });
const inline = oneOf(
  run,
  link,
  kind('user', { user_id: idOf('UW') }, { style }),
  kind('usergroup', { usergroup_id: idOf('S') }, { style }),
  kind('channel', { channel_id: idOf('CG') }, { style }),
  kind(
    'emoji',
    { name: words },
    { unicode: words.regex(/^[0-9a-f]+(-[0-9a-f]+)*$/), skin_tone: z.int().min(1).max(6), style },
  ),
);

// Slack's own composer sends sections without elements (an empty list item), so they are accepted.
const runs = (one: z.ZodType) => z.array(one).max(MOST_ELEMENTS);
const section = kind('rich_text_section', { elements: runs(inline) });

const paragraph = oneOf(
  section,
  kind(
    'rich_text_list',
    { elements: runs(section).min(1), style: z.enum(['bullet', 'ordered']) },
    { indent: count.max(8), offset: count },
  ),
  kind('rich_text_quote', { elements: runs(inline) }),
  kind('rich_text_preformatted', { elements: runs(oneOf(run, link)) }),
);

export const richText = kind('rich_text', { elements: runs(paragraph).min(1) }, { block_id: id });
