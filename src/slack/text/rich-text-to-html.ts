import type { RichTextBlock, RichTextElement, RichTextList } from '@slack/types';
import { escapeHtml } from '../../escape-html.ts';
import { isBlank, wellFormed } from './limits.ts';
import { linkTarget } from './link-target.ts';
import { elementText, inlineElements, type Names } from './rich-text-elements.ts';
import { fitRichText, type RichTextPart } from './rich-text-fit.ts';

export type { Names } from './rich-text-elements.ts';

/**
 * Converts rich text to HTML for the service: `<p>` with `<br>`, nested `<ul>` and `<ol>`,
 * `<blockquote>`, `<pre>`, strong, em, s, u, code, and `<a href>` for http, https, and mailto.
 * Mentions become names, or IDs if `names` doesn't know them. Everything is escaped. '' for blank
 * text.
 */
export function richTextToHtml(block: RichTextBlock, names: Names): string {
  if (richTextIsBlank(block)) return '';
  return groupsOf(block.elements)
    .map((group) => groupToHtml(group, names))
    .join('');
}

export function richTextIsBlank(block: RichTextBlock): boolean {
  return inlineElements(block).every((element) => {
    return element.type === 'text' && isBlank(element.text);
  });
}

/** The IDs that richTextToHtml needs names for, without duplicates, in order. */
export function mentionsIn(block: RichTextBlock) {
  const users = new Set<string>();
  const channels = new Set<string>();
  const usergroups = new Set<string>();
  for (const element of inlineElements(block)) {
    if (element.type === 'user') users.add(element.user_id);
    if (element.type === 'channel') channels.add(element.channel_id);
    if (element.type === 'usergroup') usergroups.add(element.usergroup_id);
  }
  return { users: [...users], channels: [...channels], usergroups: [...usergroups] };
}

/**
 * Plain text as rich text for prefilling a field, cut at RICH_TEXT_BYTES_MAX. Slack rejects empty
 * text, so blank text becomes a single space.
 */
export function plainTextToRichText(text: string): RichTextBlock {
  const shown = wellFormed(text).trimEnd();
  const elements = [{ type: 'text' as const, text: isBlank(shown) ? ' ' : shown }];
  const { parts } = fitRichText([{ type: 'rich_text_section', elements }]);
  return { type: 'rich_text', elements: parts };
}

// Consecutive lists with the same border belong together.
function groupsOf(parts: RichTextPart[]): (RichTextPart | NumberedList[])[] {
  const groups: (RichTextPart | NumberedList[])[] = [];
  for (const part of parts) {
    const last = groups.at(-1);
    if (part.type !== 'rich_text_list') groups.push(part);
    else if (Array.isArray(last) && last[0]?.border === part.border) last.push(part);
    else groups.push([part]);
  }
  return groups;
}

function groupToHtml(group: RichTextPart | NumberedList[], names: Names): string {
  if (Array.isArray(group)) return quoted(listsToHtml(group, names), group[0]?.border);
  if (group.type === 'rich_text_list') return listsToHtml([group], names);
  const isCode = group.type === 'rich_text_preformatted';
  const html = (isCode ? preformattedToHtml : inlineToHtml)(group.elements, names);
  if (html === '') return '';
  if (isCode) return quoted(`<pre>${html}</pre>`, group.border);
  return group.type === 'rich_text_quote' ? quoted(html, 1) : `<p>${html}</p>`;
}

function quoted(html: string, border: 0 | 1 | undefined): string {
  return border === 1 && html !== '' ? `<blockquote>${html}</blockquote>` : html;
}

/** Slack uses `offset` (added to the item numbers), which the types of 3.2.0 lack. */
type NumberedList = RichTextList & { offset?: number };

type OpenList = { tag: 'ul' | 'ol'; indent: number; next: number };

function startOf(list: NumberedList): number {
  const { offset } = list;
  return Number.isSafeInteger(offset) && Number(offset) > 0 ? Number(offset) + 1 : 1;
}

/**
 * Converts consecutive lists to nested `<ul>` and `<ol>`. Slack expresses nesting as indentation: a
 * list is interrupted by a deeper one and continues after it.
 */
function listsToHtml(lists: NumberedList[], names: Names): string {
  const open: OpenList[] = [];
  let html = '';
  for (const list of lists) {
    if (list.elements.length === 0) continue;
    html += closeDeeperThan(list.indent ?? 0, open);
    const { current, start } = openFor(list, open);
    const items = list.elements.map(({ elements }) => inlineToHtml(elements, names));
    html += `${start}<li>${items.join('</li><li>')}`;
    current.next += items.length;
  }
  return html + closeDeeperThan(-1, open);
}

function closeDeeperThan(indent: number, open: OpenList[]): string {
  let html = '';
  while ((open.at(-1)?.indent ?? indent) > indent) html += `</li></${open.pop()?.tag}>`;
  return html;
}

/** The list to add items to, and the HTML before them. Continues the open list if possible. */
function openFor(list: NumberedList, open: OpenList[]): { current: OpenList; start: string } {
  const tag = list.style === 'ordered' ? 'ol' : 'ul';
  const indent = list.indent ?? 0;
  const next = startOf(list);
  const before = open.at(-1);
  if (before?.indent === indent && before.tag === tag && (tag === 'ul' || before.next === next)) {
    return { current: before, start: '</li>' };
  }
  const current = { tag, indent, next } satisfies OpenList;
  const end = closeDeeperThan(indent - 1, open);
  open.push(current);
  return { current, start: `${end}<${tag}${tag === 'ol' && next > 1 ? ` start="${next}"` : ''}>` };
}

type Style = NonNullable<RichTextElement['style']>;

// From outermost to innermost.
const STYLE_TAGS: [keyof Style, string][] = [
  ['bold', 'strong'],
  ['italic', 'em'],
  ['strike', 's'],
  ['underline', 'u'],
  ['code', 'code'],
];

/** Escapes text that someone typed, without control characters. */
export const typedHtml = (text: string): string => escapeHtml(wellFormed(text));

/**
 * Converts inline elements to HTML. Line feeds become `<br>`; spaces that HTML would collapse
 * become `&nbsp;`. Styles become strong, em, s, u, and code; http, https, and mailto links become
 * `<a href>`, other links their text.
 */
function inlineToHtml(elements: RichTextElement[], names: Names): string {
  const text = createTextWriter();
  const html = elements.map((element) => decorated(element, text(elementText(element, names))));
  const joined = html.join('');
  // Browsers ignore the last <br> of a block unless it is alone, so it is dropped.
  const oneTooMany = joined.endsWith('<br>') && !/(?:^|<br>)<br>$/.test(joined);
  return oneTooMany ? joined.slice(0, -'<br>'.length) : joined;
}

/** The same for `<pre>`, where white space is kept. */
function preformattedToHtml(elements: RichTextElement[], names: Names): string {
  const html = elements.map((element) =>
    decorated(element, typedHtml(elementText(element, names))),
  );
  const joined = html.join('');
  // HTML ignores a line feed right after <pre>.
  return joined.startsWith('\n') ? `\n${joined}` : joined;
}

function decorated(element: RichTextElement, html: string): string {
  if (html === '') return '';
  const style = element.style ?? {};
  let result = html;
  for (const [name, tag] of STYLE_TAGS.toReversed()) {
    if (style[name] === true) result = `<${tag}>${result}</${tag}>`;
  }
  const url = element.type === 'link' || element.type === 'date' ? element.url : undefined;
  const target = url === undefined ? undefined : linkTarget(url);
  return target === undefined ? result : `<a href="${typedHtml(target)}">${result}</a>`;
}

const WHITE_SPACE: Record<string, string> = { '\n': '<br>', '\t': '&nbsp;&nbsp;&nbsp;&nbsp;' };

// One writer per section, because whether a space collapses depends on the text before it.
function createTextWriter(): (text: string) => string {
  let collapsing = true;
  function write(piece: string): string {
    const collapses = collapsing && piece === ' ';
    collapsing = piece === '\n' || (piece === ' ' && !collapses);
    return collapses ? '&nbsp;' : (WHITE_SPACE[piece] ?? typedHtml(piece));
  }
  return (text) => wellFormed(text).replace(/[ \t\n]|[^ \t\n]+/g, write);
}
