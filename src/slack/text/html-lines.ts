import { isBlank, LIST_INDENT_MAX } from './limits.ts';
import type { InlineNode, RichNode, TextStyles } from './rich-nodes.ts';

/** Text of one look on one line; a link's whole label is one span. */
export type Span = { text: string; styles: TextStyles; href?: string };

/** A line of text; `lead` is its indentation and bullet or number. */
export type TextLine = { quoted: boolean; lead: string; spans: Span[] };
/** A block of preformatted text, of one or more lines. */
type FencedLines = { fenced: string };
export type Line = TextLine | FencedLines;

const INDENT = '    ';
const BULLETS = ['•', '◦', '▪'];
const SHOWN_STYLES = ['bold', 'italic', 'strike', 'code'] as const;
const NO_STYLES: TextStyles = {};
const BOLD: TextStyles = { bold: true };
const CODE: TextStyles = { code: true };

/** What stands in front of the next line: the marker of an item once, then as much space. */
type Place = { quoted: boolean; depth: number; marker: string; rest: string };

/** The tree as lines from top to bottom, blank ones (without spans) where the HTML asks for them. */
export function* linesOf(nodes: RichNode[]): Generator<Line> {
  yield* linesIn(nodes, { quoted: false, depth: 0, marker: '', rest: '' });
}

function* linesIn(nodes: RichNode[], place: Place): Generator<Line> {
  for (const node of nodes) {
    if (node.type === 'list') yield* linesOfList(node, place);
    else if (node.type === 'quote') yield* linesIn(node.children, { ...place, quoted: true });
    else if (node.type === 'preformatted') yield* linesOfCode(node.text, place);
    else {
      const heading = node.type === 'heading';
      for (const line of splitAtBreaks(node.children)) {
        const spans = spansOf(line);
        yield textLine(place, heading ? spans.map(emboldened) : spans);
      }
    }
  }
}

/** A list inside a list is indented once more, at most LIST_INDENT_MAX times. */
function* linesOfList(list: Extract<RichNode, { type: 'list' }>, place: Place): Generator<Line> {
  let number = list.start;
  const deeper = place.depth < LIST_INDENT_MAX ? INDENT : '';
  for (const item of list.items) {
    const bullet = BULLETS[place.depth % BULLETS.length] ?? '•';
    yield* linesIn(item, {
      quoted: place.quoted,
      depth: place.depth + 1,
      marker: `${place.rest}${list.ordered ? `${number}.` : bullet} `,
      rest: place.rest + deeper,
    });
    number += 1;
  }
}

// A fence only works on lines of its own; inside lists and quotes each line is code for itself.
function* linesOfCode(text: string, place: Place): Generator<Line> {
  if (place.depth === 0 && !place.quoted) yield { fenced: text };
  else for (const line of text.split('\n')) yield textLine(place, [{ text: line, styles: CODE }]);
}

function textLine(place: Place, spans: Span[]): TextLine {
  if (spans.every(({ text }) => isBlank(text)))
    return { quoted: place.quoted, lead: '', spans: [] };
  const lead = place.marker === '' ? place.rest : place.marker;
  place.marker = '';
  return { quoted: place.quoted, lead, spans };
}

function emboldened(span: Span): Span {
  return { ...span, styles: span.styles === NO_STYLES ? BOLD : { ...span.styles, bold: true } };
}

/** The lines of a paragraph: its children between the breaks, at least one line. */
function splitAtBreaks(children: InlineNode[]): InlineNode[][] {
  const lines: InlineNode[][] = [[]];
  for (const child of children) {
    if (child.type === 'break') lines.push([]);
    else lines.at(-1)?.push(child);
  }
  return lines;
}

// Joined, so that a text is escaped as a whole: "@" and "here" can come from two elements.
function spansOf(line: InlineNode[]): Span[] {
  const spans: Span[] = [];
  for (const node of line) {
    if (node.type === 'break') continue;
    const next =
      node.type === 'text' ? spanOf(node.text, node.styles, node.href) : spanOfImage(node);
    const last = spans.at(-1);
    if (last === undefined || !isOne(last, next)) spans.push(next);
    else {
      last.text += next.text;
      if (!looksLike(last.styles, next.styles)) last.styles = NO_STYLES;
    }
  }
  return spans;
}

function isOne(one: Span, next: Span): boolean {
  if (one.href !== next.href) return false;
  return one.href !== undefined || looksLike(one.styles, next.styles);
}

// Neither mrkdwn nor plain text can show what is underlined.
function looksLike(one: TextStyles, other: TextStyles): boolean {
  return SHOWN_STYLES.every((name) => one[name] === other[name]);
}

/** What an image is in text: its description. */
function imageText({ alt }: { alt: string }): string {
  return alt === '' ? 'image' : alt;
}

function spanOfImage(image: Extract<InlineNode, { type: 'image' }>): Span {
  const { src, href } = image;
  return spanOf(imageText(image), NO_STYLES, href ?? (src === '' ? undefined : src));
}

function spanOf(text: string, styles: TextStyles, href: string | undefined): Span {
  return href === undefined ? { text, styles } : { text, styles, href };
}

/** Each line that shows something, with what stands between it and the one before: at most one blank line. */
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
