import { z } from 'zod';
import { flag, id, kind, linkUrl, oneOf, text, webUrl } from './parts.ts';

// Source: docs.slack.dev/reference/block-kit/blocks/rich-text-block. Slack documents no limits for texts and for
// the number of elements; the app's own are far smaller.
const MOST_CHARS = 12_000;
const MOST_ELEMENTS = 1000;
const words = text(3000);
const count = z.int().min(0);

const FLAGS = { bold: flag, italic: flag, strike: flag, underline: flag, code: flag };
const style = z.strictObject(FLAGS).partial();
const ofMention = z
  .strictObject({ ...FLAGS, highlight: flag, client_highlight: flag, unlink: flag })
  .partial();

const mention = (type: string, part: z.ZodRawShape) => kind(type, part, { style: ofMention });
/** The formats of Slack's IDs, from its OpenAPI description (github.com/slackapi/slack-api-specs). */
const idOf = (prefixes: string) => id.regex(new RegExp(`^[${prefixes}][A-Z0-9]+$`));

const run = kind('text', { text: text(MOST_CHARS) }, { style });
const link = kind('link', { url: linkUrl }, { text: text(MOST_CHARS), unsafe: flag, style });
const inline = oneOf(
  run,
  link,
  mention('user', { user_id: idOf('UW') }),
  mention('usergroup', { usergroup_id: idOf('S') }),
  mention('channel', { channel_id: idOf('CG') }),
  mention('team', { team_id: idOf('TE') }),
  mention('broadcast', { range: z.enum(['here', 'channel', 'everyone']) }),
  kind(
    'emoji',
    { name: words },
    {
      unicode: words.regex(/^[0-9a-f]+(-[0-9a-f]+)*$/),
      url: webUrl,
      skin_tone: z.int().min(1).max(6),
      style,
    },
  ),
  kind('date', { timestamp: count, format: words }, { url: webUrl, fallback: words, style }),
  kind('color', { value: z.string().regex(/^#[0-9a-fA-F]{6}$/) }, { style }),
);

// Slack's own composer sends sections without elements (an empty list item), so they are accepted.
const runs = (one: z.ZodType) => z.array(one).max(MOST_ELEMENTS);
const border = z.literal([0, 1]);
const section = kind('rich_text_section', { elements: runs(inline) });

const paragraph = oneOf(
  section,
  kind(
    'rich_text_list',
    { elements: runs(section).min(1), style: z.enum(['bullet', 'ordered']) },
    { indent: count.max(8), offset: count, border },
  ),
  kind('rich_text_quote', { elements: runs(inline) }, { border }),
  kind('rich_text_preformatted', { elements: runs(oneOf(run, link)) }, { border }),
);

export const richText = kind('rich_text', { elements: runs(paragraph).min(1) }, { block_id: id });
