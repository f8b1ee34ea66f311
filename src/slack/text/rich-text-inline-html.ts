import type { RichTextElement } from '@slack/types';
import { escapeHtml } from '../../escape-html.ts';
import { wellFormed } from './limits.ts';
import { linkTarget } from './link-target.ts';
import { elementText, type Names } from './rich-text-elements.ts';

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
export function inlineToHtml(elements: RichTextElement[], names: Names): string {
  const text = createTextWriter();
  const html = elements.map((element) => decorated(element, text(elementText(element, names))));
  const joined = html.join('');
  // Browsers ignore the last <br> of a block unless it is alone, so it is dropped.
  const oneTooMany = joined.endsWith('<br>') && !/(?:^|<br>)<br>$/.test(joined);
  return oneTooMany ? joined.slice(0, -'<br>'.length) : joined;
}

/** The same for `<pre>`, where white space is kept. */
export function preformattedToHtml(elements: RichTextElement[], names: Names): string {
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
