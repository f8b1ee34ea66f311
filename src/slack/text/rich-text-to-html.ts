import type { RichTextBlock } from '@slack/types';
import { isBlank, wellFormed } from './limits.ts';
import { inlineElements, type Names } from './rich-text-elements.ts';
import { fitRichText, type RichTextPart } from './rich-text-fit.ts';
import { inlineToHtml, preformattedToHtml } from './rich-text-inline-html.ts';
import { listsToHtml, type NumberedList } from './rich-text-lists.ts';

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

/** Whether it has only blank text. */
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
  return { type: 'rich_text', elements: fitRichText([{ type: 'rich_text_section', elements }]) };
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
