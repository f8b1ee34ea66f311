import type { RichTextBlock, RichTextElement } from '@slack/types';
import { escapeHtml } from '../../escape-html.ts';
import { utcMinute } from './blocks.ts';
import { linkTarget } from './escape.ts';
import { clip, isBlank, RICH_TEXT_MAX, RICH_TEXT_RUN_MAX, wellFormed } from './limits.ts';

/** Looks up names for IDs in a rich text; undefined if unknown. */
export type Names = {
  user(id: string): string | undefined;
  channel(id: string): string | undefined;
};

export type RichTextPart = RichTextBlock['elements'][number];

/** The elements of each section, quote, and item. */
const runsIn = (part: RichTextPart): RichTextElement[][] =>
  part.type === 'rich_text_list' ? part.elements.map(({ elements }) => elements) : [part.elements];

export const elementsIn = (part: RichTextPart): RichTextElement[] => runsIn(part).flat();

export const richTextIsBlank = (block: RichTextBlock): boolean =>
  block.elements
    .flatMap(elementsIn)
    .every((element) => element.type === 'text' && isBlank(element.text));

export function mentionsIn(block: RichTextBlock): { users: string[]; channels: string[] } {
  const elements = block.elements.flatMap(elementsIn);
  return {
    users: elements.flatMap((one) => (one.type === 'user' ? one.user_id : [])),
    channels: elements.flatMap((one) => (one.type === 'channel' ? one.channel_id : [])),
  };
}

/** The words of a block, however it is divided into sections. */
export const wordsOf = (block: RichTextBlock): string =>
  block.elements
    .flatMap(runsIn)
    .map((run) => run.map((one) => ('text' in one ? one.text : one.type)).join(''))
    .join(' ')
    .split(/\s+/)
    .join(' ')
    .trim();

/** Fills a field, cut at RICH_TEXT_MAX. Slack rejects empty text, so blank text becomes a space. */
export function plainTextToRichText(text: string): RichTextBlock {
  const shown = clip(wellFormed(text).trimEnd(), RICH_TEXT_MAX);
  const runs = isBlank(shown) ? [' '] : piecesOf(shown);
  const elements = runs.map((run) => ({ type: 'text' as const, text: run }));
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] };
}

/** Each at most RICH_TEXT_RUN_MAX long: a character has up to two code units. */
function piecesOf(text: string): string[] {
  const characters = [...text];
  const most = RICH_TEXT_RUN_MAX / 2;
  return Array.from({ length: Math.ceil(characters.length / most) }, (_, piece) =>
    characters.slice(piece * most, (piece + 1) * most).join(''),
  );
}

/** The visible text of an element: mentions by name (or ID), emoji as characters (or `:name:`). */
export function elementText(element: RichTextElement, names: Partial<Names> = {}): string {
  switch (element.type) {
    case 'text':
      return element.text;
    case 'link':
      return element.text || element.url;
    case 'emoji':
      return emojiCharacters(element.unicode) ?? `:${element.name}:`;
    case 'user':
      return `@${names.user?.(element.user_id) ?? element.user_id}`;
    case 'channel':
      return `#${names.channel?.(element.channel_id) ?? element.channel_id}`;
    case 'usergroup':
      return `@${element.usergroup_id}`;
    case 'team':
      return `@${element.team_id}`;
    case 'broadcast':
      return `@${element.range}`;
    case 'color':
      return element.value;
    case 'date':
      return element.fallback || utcMinute(element.timestamp);
    default: {
      // Slack may add element types; show their text, if they have any.
      const { text }: { text?: unknown } = element satisfies never;
      return typeof text === 'string' ? text : '';
    }
  }
}

const EMOJI_CODE_POINTS =
  /^(?:10|[0-9a-f])?[0-9a-f]{1,4}(?:-(?:10|[0-9a-f])?[0-9a-f]{1,4}){0,15}$/i;

function emojiCharacters(unicode = ''): string | undefined {
  if (!EMOJI_CODE_POINTS.test(unicode)) return undefined;
  return String.fromCodePoint(...unicode.split('-').map((hex) => Number.parseInt(hex, 16)));
}

/** Escapes text that someone typed, without control characters. */
export const typedHtml = (text: string): string => escapeHtml(wellFormed(text));

/**
 * Converts rich text to HTML for the service: `<p>` with `<br>`, nested `<ul>` and `<ol>`,
 * `<blockquote>`, `<pre>`, strong, em, s, u, code, and `<a href>` for http, https, and mailto.
 * Mentions become names, or IDs if they are unknown. Everything is escaped. '' for blank text.
 */
export function richTextToHtml(block: RichTextBlock, names: Names): string {
  if (richTextIsBlank(block)) return '';
  const open: OpenList[] = [];
  const html = block.elements.map((part) => {
    if (part.type === 'rich_text_list') return listHtml(part, open, names);
    const end = closeDeeperThan(-1, open);
    const isCode = part.type === 'rich_text_preformatted';
    const inside = part.elements.map((element) => elementHtml(element, names)).join('');
    if (inside === '') return end;
    if (isCode) return `${end}<pre>${inside}</pre>`;
    const tag = part.type === 'rich_text_quote' ? 'blockquote' : 'p';
    return `${end}<${tag}>${inside.replaceAll('\n', '<br>')}</${tag}>`;
  });
  return html.join('') + closeDeeperThan(-1, open);
}

type OpenList = { tag: 'ul' | 'ol'; indent: number };

function closeDeeperThan(indent: number, open: OpenList[]): string {
  let html = '';
  while ((open.at(-1)?.indent ?? indent) > indent) html += `</li></${open.pop()?.tag}>`;
  return html;
}

/**
 * Slack expresses nesting as indentation: a list is interrupted by a deeper one and continues after it. Slack uses
 * `offset` (added to the item numbers), which the types of 3.2.0 lack.
 */
function listHtml(list: ListPart, open: OpenList[], names: Names): string {
  const { indent = 0, offset, elements } = list;
  if (elements.length === 0) return '';
  const tag = list.style === 'ordered' ? 'ol' : 'ul';
  let html = closeDeeperThan(indent, open);
  if (open.at(-1)?.indent === indent && open.at(-1)?.tag === tag) html += '</li>';
  else {
    const start = tag === 'ol' && Number.isSafeInteger(offset) ? Number(offset) + 1 : 1;
    html += `${closeDeeperThan(indent - 1, open)}<${tag}${start > 1 ? ` start="${start}"` : ''}>`;
    open.push({ tag, indent });
  }
  const items = runsIn(list).map((run) => run.map((one) => elementHtml(one, names)).join(''));
  return `${html}<li>${items.join('</li><li>').replaceAll('\n', '<br>')}`;
}

type ListPart = Extract<RichTextPart, { type: 'rich_text_list' }> & { offset?: number };

// From innermost to outermost.
const STYLE_TAGS = [
  ['code', 'code'],
  ['underline', 'u'],
  ['strike', 's'],
  ['italic', 'em'],
  ['bold', 'strong'],
] as const;

function elementHtml(element: RichTextElement, names: Names): string {
  let html = typedHtml(elementText(element, names));
  if (html === '') return '';
  for (const [name, tag] of STYLE_TAGS) {
    if (element.style?.[name] === true) html = `<${tag}>${html}</${tag}>`;
  }
  const url = element.type === 'link' || element.type === 'date' ? element.url : undefined;
  const target = url === undefined ? undefined : linkTarget(url);
  return target === undefined ? html : `<a href="${typedHtml(target)}">${html}</a>`;
}
