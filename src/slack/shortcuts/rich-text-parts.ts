import type { RichTextElement } from '@slack/types';
import { z } from 'zod';
import { LIST_INDENT_MAX } from '../text/limits.ts';
import { elementText } from '../text/rich-text-elements.ts';
import type { RichTextPart } from '../text/rich-text-fit.ts';
import type { NumberedList } from '../text/rich-text-to-html.ts';
import {
  asCode,
  channelElement,
  DEPTH_MAX,
  emojiElement,
  isPosted,
  type LeftOut,
  labelOf,
  linkElement,
  NO_NAMES,
  type Posted,
  paragraph,
  type Style,
  sectionOf,
  stringOf,
  textElement,
  userElement,
  usergroupElement,
} from './elements.ts';

const flag = z.literal(true).optional().catch(undefined);
const style = z
  .object({ bold: flag, italic: flag, strike: flag, underline: flag, code: flag })
  .transform((given): Style | undefined => {
    const on = Object.entries(given).filter(([, value]) => value);
    return on.length > 0 ? Object.fromEntries(on) : undefined;
  })
  .optional()
  .catch(undefined);
const optional = z.string().optional().catch(undefined);
/** Of an emoji, which the service gets as a character then. */
const CODE_POINTS = /^[0-9a-f]{1,6}(?:-[0-9a-f]{1,6}){0,15}$/;

const element = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string(), style }),
  z.object({ type: z.literal('link'), url: z.string(), text: optional, style }),
  z.object({ type: z.literal('user'), user_id: z.string(), style }),
  z.object({ type: z.literal('channel'), channel_id: z.string(), style }),
  z.object({ type: z.literal('usergroup'), usergroup_id: z.string(), style }),
  z.object({
    type: z.literal('emoji'),
    name: z.string(),
    unicode: z.string().regex(CODE_POINTS).optional().catch(undefined),
    skin_tone: z.int().min(1).max(6).optional().catch(undefined),
    style,
  }),
  // As text: nobody should be notified by a form, and a field has no such elements.
  z.object({ type: z.literal('broadcast'), range: z.enum(['here', 'channel', 'everyone']), style }),
  z.object({ type: z.literal('team'), team_id: z.string(), style }),
  z.object({ type: z.literal('color'), value: z.string(), style }),
  z.object({
    type: z.literal('date'),
    timestamp: z.number(),
    format: z.string(),
    fallback: optional,
    url: optional,
    style,
  }),
]);

function knownElement(known: z.infer<typeof element>): RichTextElement | undefined {
  switch (known.type) {
    case 'text':
      return textElement(known.text);
    case 'link':
      return linkElement(known.url, known.text);
    case 'user':
      return userElement(known.user_id);
    case 'channel':
      return channelElement(known.channel_id);
    case 'usergroup':
      return usergroupElement(known.usergroup_id);
    case 'emoji': {
      const { name, unicode, skin_tone } = known;
      const tone = skin_tone === undefined ? {} : { skin_tone };
      const found = emojiElement(name);
      if (found?.type !== 'emoji') return found;
      return { ...found, ...(unicode === undefined ? {} : { unicode }), ...tone };
    }
    case 'date': {
      const { type, timestamp, format, fallback = '', url } = known;
      const shown = elementText({ type, timestamp, format, fallback }, NO_NAMES);
      return url === undefined ? textElement(shown) : linkElement(url, shown);
    }
    default:
      return textElement(elementText({ ...known, style: {} }, NO_NAMES));
  }
}

/** The elements of a posted section, quote, or code block. */
function safeElements(
  posted: readonly unknown[],
  left: Set<LeftOut>,
  depth = 0,
): RichTextElement[] {
  return posted.flatMap((one) => {
    const { data } = element.safeParse(one);
    if (data) {
      const known = knownElement(data);
      return known && data.style ? { ...known, style: data.style } : (known ?? []);
    }
    return elementsOfUnknown(one, left, depth);
  });
}

function elementsOfUnknown(posted: unknown, left: Set<LeftOut>, depth: number): RichTextElement[] {
  if (isPosted(posted) && depth < DEPTH_MAX) {
    if (Array.isArray(posted.elements)) return safeElements(posted.elements, left, depth + 1);
    const url = stringOf(posted.url);
    const label = labelOf(posted);
    const shown = url ? linkElement(url, label) : textElement(label);
    if (shown) return [shown];
  }
  left.add('parts');
  return [];
}

const indents = z.int().min(0).max(LIST_INDENT_MAX).optional().catch(undefined);
const KINDS = [
  'rich_text_section',
  'rich_text_quote',
  'rich_text_preformatted',
  'rich_text_list',
] as const;
const part = z.object({
  type: z.enum(KINDS),
  elements: z.array(z.unknown()).catch([]),
  style: z.enum(['bullet', 'ordered']).catch('bullet'),
  indent: indents,
  offset: z.int().min(0).optional().catch(undefined),
  border: z
    .union([z.literal(0), z.literal(1)])
    .optional()
    .catch(undefined),
});

export const isRichTextPart = ({ type }: Posted) => KINDS.some((kind) => kind === type);

/** A part of a posted rich text, with only what Slack accepts in a form's field. */
export function* richTextPart(posted: unknown, left: Set<LeftOut>): Generator<RichTextPart> {
  const { data } = part.safeParse(posted);
  if (!data) return void left.add('parts');
  const { type, elements, border } = data;
  const edge = border === undefined ? {} : { border };
  switch (type) {
    case 'rich_text_section':
      return yield* paragraph(safeElements(elements, left));
    case 'rich_text_quote':
      return yield { type, elements: safeElements(elements, left), ...edge };
    case 'rich_text_preformatted':
      return yield { type, elements: asCode(safeElements(elements, left)), ...edge };
    case 'rich_text_list':
      return yield { ...listPart(data, left), ...edge };
  }
}

function listPart(
  { elements, style, indent, offset }: z.infer<typeof part>,
  left: Set<LeftOut>,
): NumberedList {
  const items = elements.map((item) => {
    const inside = isPosted(item) && Array.isArray(item.elements) ? item.elements : [item];
    return sectionOf(safeElements(inside, left));
  });
  return {
    type: 'rich_text_list',
    style,
    elements: items,
    ...(indent === undefined ? {} : { indent }),
    ...(offset === undefined ? {} : { offset }),
  };
}
