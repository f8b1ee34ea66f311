import type { InlineNode, RichNode, TextStyles } from './html-paragraph.ts';
import { parseHtml } from './html-tree.ts';
import { isBlank, LIST_INDENT_MAX } from './limits.ts';

/** Text of one style on one line. A link's whole label is one span. */
export type Span = { text: string; styles: TextStyles; href?: string };

/** `lead` is the line's indentation and bullet or number. */
export type TextLine = { quoted: boolean; lead: string; spans: Span[] };
/** Preformatted text of one or more lines. */
type FencedLines = { fenced: string };
export type Line = TextLine | FencedLines;

const INDENT = '    ';
const BULLETS = ['•', '◦', '▪'];
const SHOWN_STYLES = ['bold', 'italic', 'strike', 'code'] as const;
const CODE: TextStyles = { code: true };

/** What precedes the next line: an item's marker once, then as much space. */
type Context = { quoted: boolean; depth: number; marker: string; rest: string };

/** The tree as lines. Blank lines have no spans. */
export function* linesOf(
  nodes: RichNode[],
  context: Context = { quoted: false, depth: 0, marker: '', rest: '' },
): Generator<Line> {
  for (const node of nodes) {
    if (node.type === 'list') yield* linesOfList(node, context);
    else if (node.type === 'quote') yield* linesOf(node.children, { ...context, quoted: true });
    else if (node.type === 'preformatted') yield* linesOfCode(node.text, context);
    else {
      for (const line of splitAtBreaks(node.children)) {
        yield textLine(context, spansOf(line));
      }
    }
  }
}

/** Nested lists are indented up to LIST_INDENT_MAX times. */
function* linesOfList(
  list: Extract<RichNode, { type: 'list' }>,
  context: Context,
): Generator<Line> {
  let number = list.start;
  const deeper = context.depth < LIST_INDENT_MAX ? INDENT : '';
  for (const item of list.items) {
    const bullet = BULLETS[context.depth % BULLETS.length] ?? '•';
    yield* linesOf(item, {
      quoted: context.quoted,
      depth: context.depth + 1,
      marker: `${context.rest}${list.ordered ? `${number}.` : bullet} `,
      rest: context.rest + deeper,
    });
    number += 1;
  }
}

// A fence needs lines of its own; in lists and quotes, each line becomes inline code.
function* linesOfCode(text: string, context: Context): Generator<Line> {
  if (context.depth === 0 && !context.quoted) yield { fenced: text };
  else for (const line of text.split('\n')) yield textLine(context, [{ text: line, styles: CODE }]);
}

function textLine(context: Context, spans: Span[]): TextLine {
  if (spans.every(({ text }) => isBlank(text)))
    return { quoted: context.quoted, lead: '', spans: [] };
  const lead = context.marker === '' ? context.rest : context.marker;
  context.marker = '';
  return { quoted: context.quoted, lead, spans };
}

function splitAtBreaks(children: InlineNode[]): Content[][] {
  const lines: Content[][] = [[]];
  for (const child of children) {
    if (child.type === 'break') lines.push([]);
    else lines.at(-1)?.push(child);
  }
  return lines;
}

type Content = Exclude<InlineNode, { type: 'break' }>;

// Joins neighbors, so that text is escaped as a whole: "@" and "here" can come from two elements.
function spansOf(line: Content[]): Span[] {
  const spans: Span[] = [];
  for (const node of line) {
    const { type: _, ...next } = node;
    const last = spans.at(-1);
    const isAlike = last !== undefined && hasSameLook(last.styles, next.styles);
    if (last === undefined || last.href !== next.href || (!next.href && !isAlike)) {
      spans.push(next);
      continue;
    }
    last.text += next.text;
    if (!isAlike) last.styles = {};
  }
  return spans;
}

// Underline is ignored: mrkdwn can't show it.
const hasSameLook = (one: TextStyles, other: TextStyles): boolean =>
  SHOWN_STYLES.every((name) => one[name] === other[name]);

/** The lines with text, each with the gap before it: at most one blank line. */
export function* withGaps(lines: Iterable<Line>): Generator<{ gap: string; line: Line }> {
  let gap = '';
  for (const line of lines) {
    if (!('fenced' in line) && line.spans.length === 0) gap = gap === '' ? '' : '\n\n';
    else {
      yield { gap, line };
      gap = '\n';
    }
  }
}

/** HTML as lines of plain text, without its formatting; a link is followed by where it leads. */
export function htmlToText(html: string): string {
  let text = '';
  for (const { gap, line } of withGaps(linesOf(parseHtml(html)))) {
    const words = 'fenced' in line ? line.fenced : line.lead + line.spans.map(wordsOf).join('');
    text += gap + words;
  }
  return text.trim();
}

const wordsOf = ({ text, href }: { text: string; href?: string }) =>
  href === undefined || href === text ? text : `${text} (${href})`;
