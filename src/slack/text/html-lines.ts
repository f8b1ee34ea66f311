import { defaultTreeAdapter, parse, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import { linkTarget } from './escape.ts';
import { isBlank, LIST_INDENT_MAX, wellFormed } from './limits.ts';

/** For bold, italic, struck, and code, as mrkdwn writes them. */
const MARKS = ['*', '_', '~', '`'] as const;

/** Text of one style on one line, or a link's whole label. `marks` are its styles, `href` is safe, from linkTarget. */
export type Span = { text: string; marks: string; href?: string | undefined };

/** `lead` is the line's indentation and bullet or number. A blank line has no spans. */
export type Line = { quoted: boolean; lead: string; spans: Span[] };

/** Our limit for HTML without its pasted images, in UTF-16 units; the service documents none. */
export const HTML_MAX = 100_000;
/** Ours: from hostile HTML, browsers build far more elements than it has tags (github.com/whatwg/html/issues/10772). */
export const ELEMENTS_MAX = 5_000;
/** Our limit for nested elements, since each takes a call. Of what is nested deeper, only the text is read. */
const NESTING_MAX = 100;

/** A pasted image. It can be longer than everything else, and Slack could not show it. */
const IMAGE_DATA = /(=\s{0,9}["']?)data:image\/[^"'\s<>]*/gi;

const setOf = (names: string): ReadonlySet<string> => new Set(names.split(' '));
/** Left out with their content: metadata, code, other markup languages, and what only old browsers show. */
const DROPPED = setOf(
  'script style template noscript title iframe noembed noframes svg math audio video canvas',
);
/** They start and end a line. */
const BLOCKS = setOf(
  'address article aside blockquote caption center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr legend li main nav ol option p pre section summary table tr ul',
);
const MARKED: Record<(typeof MARKS)[number], ReadonlySet<string>> = {
  '*': setOf('b strong h1 h2 h3 h4 h5 h6'),
  _: setOf('i em'),
  '~': setOf('s strike del'),
  '`': setOf('code pre'),
};

const INDENT = '    ';
const BULLETS = ['•', '◦', '▪'];

/** What applies to the text inside an element. */
type Scope = {
  depth: number;
  marks: string;
  href?: string | undefined;
  quoted: boolean;
  /** Whether white space is shown as it is written. */
  isPreformatted: boolean;
  /** A row of a table is one line. */
  isRow: boolean;
  /** How many lists it is in, and the number of the next item; a bullet has none. */
  lists: number;
  list: { number: number | undefined };
  /** What precedes the first line of an item. */
  item: { marker: string };
};

/** HTML as lines of what a browser would show. Text without any tag keeps its line breaks. */
export function linesOf(html: string): Line[] {
  const written = html.replace(IMAGE_DATA, '$1').slice(0, HTML_MAX);
  const firstTag = written.search(/<[a-z/!?]/i);
  const hasTags = firstTag >= 0 && written.includes('>', firstTag);
  // "width <height" starts no tag.
  const document = documentOf(hasTags ? written : written.replaceAll('<', '&lt;'));
  const lines = linesIn(document.childNodes, {
    depth: 0,
    marks: '',
    quoted: false,
    isPreformatted: !hasTags,
    isRow: false,
    lists: 0,
    list: { number: undefined },
    item: { marker: '' },
  });
  const isGap = (line: Line | undefined) => line === undefined || line.spans.length === 0;
  const shown = lines.filter((line, index) => !isGap(line) || !isGap(lines[index - 1]));
  return isGap(shown.at(-1)) ? shown.slice(0, -1) : shown;
}

/** The document as browsers build it, up to ELEMENTS_MAX. */
function documentOf(html: string): Tree.Document {
  const document = defaultTreeAdapter.createDocument();
  let elements = 0;
  const treeAdapter: typeof defaultTreeAdapter = {
    ...defaultTreeAdapter,
    createDocument: () => document,
    createElement(...element) {
      elements += 1;
      if (elements > ELEMENTS_MAX) throw new Error('too many elements');
      return defaultTreeAdapter.createElement(...element);
    },
  };
  try {
    parse(html, { treeAdapter });
  } catch (error) {
    if (elements <= ELEMENTS_MAX) throw error;
  }
  return document;
}

function linesIn(nodes: readonly Tree.ChildNode[], top: Scope): Line[] {
  const lines: Line[] = [];
  let spans: Span[] = [];

  function walk(children: readonly Tree.ChildNode[], scope: Scope): void {
    if (scope.depth > NESTING_MAX) {
      addText(textIn(children), scope);
      return;
    }
    for (const node of children) {
      if (defaultTreeAdapter.isTextNode(node)) addText(node.value, scope);
      else if (isShown(node)) visit(node, scope);
    }
  }

  function visit(element: Tree.Element, around: Scope): void {
    const { tagName: tag, childNodes } = element;
    const isBlock = BLOCKS.has(tag);
    const isNextCell = (tag === 'td' || tag === 'th') && spans.length > 0;
    if (isBlock || tag === 'br') endLine(around, { evenIfEmpty: tag === 'br' });
    if (tag === 'img') addImage(element, around);
    if (isNextCell) addText(' | ', around);
    const scope = scopeIn(element, around);
    walk(childNodes, scope);
    if (isBlock) endLine(tag === 'tr' ? around : scope);
  }

  function addImage(element: Tree.Element, around: Scope): void {
    const src = linkTarget(attributeOf(element, 'src'));
    const alt = attributeOf(element, 'alt').trim();
    if (alt || src) addText(alt || 'image', { ...around, href: around.href ?? src });
  }

  function addText(written: string, scope: Scope): void {
    const lines = scope.isPreformatted
      ? written.split('\n')
      : [written.replace(/[ \t\n\f\r]+/g, ' ')];
    for (const [index, line] of lines.entries()) {
      if (index > 0) endLine(scope, { evenIfEmpty: true });
      addSpan(line, scope);
    }
  }

  function addSpan(written: string, scope: Scope): void {
    const { marks, href } = scope;
    const last = spans.at(-1);
    const isCollapsed = !scope.isPreformatted && (!last || last.text.endsWith(' '));
    const text = isCollapsed ? written.replace(/^ /, '') : written;
    // Joins neighbors, so that text is escaped as a whole: "@" and "here" can come from two elements.
    const isJoined = last?.href === href && (href || last?.marks === marks);
    if (!last || !isJoined) {
      if (text !== '') spans.push({ text, marks, href });
      return;
    }
    last.text += text;
    if (last.marks !== marks) last.marks = '';
  }

  function endLine(scope: Scope, { evenIfEmpty = false } = {}): void {
    if (scope.isRow) addSpan(' ', scope);
    else {
      const line = lineOf(spans, scope);
      if (line.spans.length > 0 || spans.length > 0 || evenIfEmpty) lines.push(line);
      spans = [];
    }
  }

  walk(nodes, top);
  endLine(top);
  return lines;
}

const isShown = (node: Tree.ChildNode): node is Tree.Element =>
  defaultTreeAdapter.isElementNode(node) && !DROPPED.has(node.tagName);

/** All text inside, in a loop: hostile HTML is nested deeper than a function can call itself. */
function textIn(nodes: readonly Tree.ChildNode[]): string {
  const texts: string[] = [];
  const left = nodes.toReversed();
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (defaultTreeAdapter.isTextNode(node)) texts.push(node.value);
    else if (isShown(node)) left.push(...node.childNodes.toReversed());
  }
  return texts.join(' ');
}

function lineOf(spans: readonly Span[], { quoted, item, lists }: Scope): Line {
  const shown = spans.map(readable).filter(({ text }) => text !== '');
  if (shown.every(({ text }) => isBlank(text))) return { quoted: false, lead: '', spans: [] };
  const lead = item.marker || indentOf(lists);
  item.marker = '';
  return { quoted, lead, spans: shown };
}

/** Well-formed, with plain spaces for non-breaking ones, and without a space that ends the line. */
function readable(span: Span, index: number, { length }: readonly Span[]): Span {
  const text = index === length - 1 ? span.text.replace(/ $/, '') : span.text;
  return { ...span, text: wellFormed(text).replaceAll('\u00a0', ' ') };
}

function scopeIn(element: Tree.Element, around: Scope): Scope {
  const scope = { ...around, depth: around.depth + 1, marks: marksIn(element, around.marks) };
  const { lists, list } = around;
  switch (element.tagName) {
    case 'a':
      return { ...scope, href: linkTarget(attributeOf(element, 'href')) };
    case 'blockquote':
      return { ...scope, quoted: true };
    case 'pre':
      return { ...scope, isPreformatted: true };
    case 'tr':
      return { ...scope, isRow: true };
    case 'ul':
    case 'ol': {
      const start = Number.parseInt(attributeOf(element, 'start'), 10) || 1;
      const number = element.tagName === 'ol' ? start : undefined;
      return { ...scope, lists: lists + 1, list: { number }, item: { marker: '' } };
    }
    case 'li': {
      const sign = list.number === undefined ? bulletOf(lists) : `${list.number}.`;
      if (list.number !== undefined) list.number += 1;
      return { ...scope, item: { marker: `${indentOf(lists - 1)}${sign} ` } };
    }
    default:
      return scope;
  }
}

const indentOf = (lists: number): string =>
  INDENT.repeat(Math.min(Math.max(lists, 0), LIST_INDENT_MAX));

const bulletOf = (lists: number): string => BULLETS[Math.max(lists - 1, 0) % BULLETS.length] ?? '•';

function marksIn(element: Tree.Element, around: string): string {
  // Google Docs wraps pasted documents in <b style="font-weight:normal">, which is not bold.
  if (/font-weight:\s*normal/i.test(attributeOf(element, 'style'))) return around;
  const { tagName } = element;
  return MARKS.filter((mark) => around.includes(mark) || MARKED[mark].has(tagName)).join('');
}

const attributeOf = ({ attrs }: Tree.Element, name: string): string =>
  attrs.find((each) => each.name === name)?.value ?? '';

/** HTML as lines of plain text, without its formatting; a link is followed by where it leads. */
export function htmlToText(html: string): string {
  const wordsOf = ({ text, href }: Span) =>
    href === undefined || href === text ? text : `${text} (${href})`;
  const lines = linesOf(html).map(({ lead, spans }) => lead + spans.map(wordsOf).join(''));
  return lines.join('\n').trim();
}
