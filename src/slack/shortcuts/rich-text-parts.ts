import type { RichTextElement, RichTextList } from '@slack/types';
import { LIST_INDENT_MAX } from '../text/limits.ts';
import type { RichTextPart } from '../text/rich-text-fit.ts';
import { slackDateText } from '../text/slack-date.ts';
import {
  asCode,
  channelElement,
  DEPTH_MAX,
  emojiElement,
  isPosted,
  type LeftOut,
  labelOf,
  linkElement,
  listOf,
  type Posted,
  paragraph,
  type Style,
  sectionOf,
  stringOf,
  textElement,
  userElement,
  usergroupElement,
} from './elements.ts';

const STYLES = ['bold', 'italic', 'strike', 'underline', 'code'] as const;

function styleOf({ style }: Posted): { style?: Style } {
  const on = STYLES.filter((name) => isPosted(style) && style[name] === true);
  return on.length > 0 ? { style: Object.fromEntries(on.map((name) => [name, true])) } : {};
}

/** A property, if it is a whole number in this range. */
function numberIn(posted: Posted, name: string, min: number, max: number): Record<string, number> {
  const value = Number.isInteger(posted[name]) ? Number(posted[name]) : undefined;
  return value !== undefined && value >= min && value <= max ? { [name]: value } : {};
}

/** The code points of an emoji. With them, the service gets it as a character. */
const CODE_POINTS = /^[0-9a-f]{1,6}(?:-[0-9a-f]{1,6}){0,15}$/;

function postedEmoji(name: string, posted: Posted): RichTextElement | undefined {
  const found = emojiElement(name);
  if (found?.type !== 'emoji') return found;
  const unicode = stringOf(posted.unicode);
  return {
    ...found,
    ...(CODE_POINTS.test(unicode) ? { unicode } : {}),
    ...numberIn(posted, 'skin_tone', 1, 6),
  };
}

function postedDate(format: string, posted: Posted): RichTextElement | undefined {
  const { timestamp } = posted;
  const at = typeof timestamp === 'number' ? slackDateText(timestamp, format) : '';
  const shown = stringOf(posted.fallback) || at;
  const url = stringOf(posted.url);
  return url ? linkElement(url, shown) : textElement(shown);
}

type ReadElement = (value: string, posted: Posted) => RichTextElement | undefined;

/** By type of element: the property with its content, and how to read it. */
const ELEMENTS = new Map<unknown, [about: string, read: ReadElement]>([
  ['text', ['text', (text) => textElement(text)]],
  ['link', ['url', (url, { text }) => linkElement(url, stringOf(text))]],
  ['user', ['user_id', (id) => userElement(id)]],
  ['channel', ['channel_id', (id) => channelElement(id)]],
  ['usergroup', ['usergroup_id', (id) => usergroupElement(id)]],
  ['emoji', ['name', postedEmoji]],
  ['date', ['format', postedDate]],
  // As text, since a form should notify nobody, and a field accepts no such elements.
  ['broadcast', ['range', (range) => textElement(`@${range}`)]],
  ['team', ['team_id', (id) => textElement(`@${id}`)]],
  ['color', ['value', (value) => textElement(value)]],
]);

/** The elements of a posted section, quote, or code block. */
const safeElements = (
  posted: readonly unknown[],
  left: Set<LeftOut>,
  depth = 0,
): RichTextElement[] => posted.flatMap((one) => safeElement(one, left, depth));

function safeElement(posted: unknown, left: Set<LeftOut>, depth: number): RichTextElement[] {
  const given = isPosted(posted) && depth < DEPTH_MAX ? posted : {};
  const [about = '', read] = ELEMENTS.get(given.type) ?? [];
  const value = given[about];
  if (read && typeof value === 'string') {
    const known = read(value, given);
    return known ? [{ ...known, ...styleOf(given) }] : [];
  }
  if (Array.isArray(given.elements)) return safeElements(given.elements, left, depth + 1);
  const [url, label] = [stringOf(given.url), labelOf(given)];
  const shown = url ? linkElement(url, label) : textElement(label);
  if (!shown) left.add('parts');
  return shown ? [shown] : [];
}

const PARTS = [
  'rich_text_section',
  'rich_text_quote',
  'rich_text_preformatted',
  'rich_text_list',
] as const;

export const isRichTextPart = (
  posted: Posted,
): posted is Posted & { type: (typeof PARTS)[number] } =>
  PARTS.some((type) => type === posted.type);

/** A part of a posted rich text, with only what Slack accepts in a form's field. */
export function* richTextPart(posted: unknown, left: Set<LeftOut>): Generator<RichTextPart> {
  if (!isPosted(posted) || !isRichTextPart(posted)) return void left.add('parts');
  const { type } = posted;
  const elements = listOf(posted.elements);
  const border = numberIn(posted, 'border', 0, 1);
  switch (type) {
    case 'rich_text_section':
      return yield* paragraph(safeElements(elements, left));
    case 'rich_text_quote':
      return yield { type, elements: safeElements(elements, left), ...border };
    case 'rich_text_preformatted':
      return yield { type, elements: asCode(safeElements(elements, left)), ...border };
    case 'rich_text_list':
      return yield { ...listPart(posted, left), ...border };
  }
}

function listPart(posted: Posted, left: Set<LeftOut>): RichTextList {
  const items = listOf(posted.elements).map((item) => {
    const inside = isPosted(item) && Array.isArray(item.elements) ? item.elements : [item];
    return sectionOf(safeElements(inside, left));
  });
  return {
    type: 'rich_text_list',
    style: posted.style === 'ordered' ? 'ordered' : 'bullet',
    elements: items,
    ...numberIn(posted, 'indent', 0, LIST_INDENT_MAX),
    ...numberIn(posted, 'offset', 0, Number.MAX_SAFE_INTEGER),
  };
}
