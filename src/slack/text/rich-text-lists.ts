import type { RichTextList } from '@slack/types';
import type { Names } from './rich-text-elements.ts';
import { inlineToHtml } from './rich-text-inline-html.ts';

/** Slack uses `offset` (added to the item numbers), which the types of 3.2.0 lack. */
export type NumberedList = RichTextList & { offset?: number };

type OpenList = { tag: 'ul' | 'ol'; indent: number; next: number };

/** The number of the first item. */
function startOf(list: NumberedList): number {
  const { offset } = list;
  return Number.isSafeInteger(offset) && Number(offset) > 0 ? Number(offset) + 1 : 1;
}

/**
 * Converts consecutive lists to nested `<ul>` and `<ol>`. Slack expresses nesting as indentation: a
 * list is interrupted by a deeper one and continues after it.
 */
export function listsToHtml(lists: NumberedList[], names: Names): string {
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
