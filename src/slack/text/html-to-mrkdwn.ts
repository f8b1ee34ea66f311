import { escapeCode, escapedLink, escapeMrkdwn, WORD_JOINER } from './escape.ts';
import { type Line, linesOf, type Span, type TextLine, withGaps } from './html-lines.ts';
import { HTML_MAX, parseHtml } from './html-tree.ts';
import { ELLIPSIS, graphemePrefix, isBlank } from './limits.ts';

// Slack formats only between word boundaries, and a zero-width space is one (jsx-slack's "exact
// mode").
const BOUNDARY = '\u200b';
const BOUNDS_WORD = /[\s.,:;!?()[\]"'/…-]/;
const FENCE = '```';
/** How much HTML is read per character of the result, in UTF-16 units, and by how much that grows if needed. */
const HTML_FOR_A_CHARACTER = 8;

type Limits = { maxLength: number; maxLines: number };

/**
 * Converts HTML to mrkdwn for a text object with `verbatim: true`. The result has at most
 * `maxLength` UTF-16 units and `maxLines` lines; if cut, it ends with '…', never inside a link, an
 * entity, or formatted text. It is '' for blank HTML. It never mentions anyone.
 */
export function htmlToMrkdwn(
  html: string,
  options: { maxLength: number; maxLines?: number },
): string {
  const { maxLength, maxLines = Number.POSITIVE_INFINITY } = options;
  const read = (most: number) => {
    const tree = parseHtml(html, most);
    return { tree, ...write(linesOf(tree), { maxLength, maxLines }) };
  };
  let most = Math.max(maxLength, 1) * HTML_FOR_A_CHARACTER;
  let { tree, text, cut } = read(most);
  while (!cut && most < Math.min(html.length, HTML_MAX)) {
    most *= HTML_FOR_A_CHARACTER;
    ({ tree, text, cut } = read(most));
  }
  if (!cut) return text;
  const room = maxLength - ELLIPSIS.length;
  if (room < 0) return '';
  return write(linesOf(tree), { maxLength: room, maxLines }).text.trimEnd() + ELLIPSIS;
}

type Written = { text: string; cut: boolean };

/** Writes lines until one doesn't fit. */
function write(lines: Iterable<Line>, { maxLength, maxLines }: Limits): Written {
  let text = '';
  let linesLeft = maxLines;
  for (const { gap, line } of withGaps(lines)) {
    linesLeft -= Math.max(gap.length - 1, 0);
    if (linesLeft < 1) return { text, cut: true };
    const room = { maxLength: maxLength - text.length - gap.length, maxLines: linesLeft };
    const next = 'fenced' in line ? writeFenced(line.fenced, room) : writeLine(line, room);
    if (next.text !== '') text += gap + next.text;
    if (next.cut) return { text, cut: true };
    linesLeft -= next.text.split('\n').length;
  }
  return { text, cut: false };
}

function writeFenced(code: string, { maxLength, maxLines }: Limits): Written {
  const lines = code.split('\n', Math.min(maxLines + 1, maxLength + 1));
  const kept = lines.slice(0, maxLines).join('\n');
  const fit = longestFit(kept, maxLength, (part) => FENCE + escapeCode(part) + FENCE);
  return { text: fit.text, cut: fit.cut || lines.length > maxLines };
}

function writeLine(line: TextLine, { maxLength }: Limits): Written {
  const lead = (line.quoted ? '> ' : '') + line.lead;
  let text = '';
  let followsLinkAsText = false;
  for (const [index, span] of line.spans.entries()) {
    const room = maxLength - lead.length - text.length;
    const before = text.endsWith(BOUNDARY) ? ' ' : edgeOf(line.spans[index - 1], -1);
    const after = edgeOf(line.spans[index + 1], 0);
    const shown = withRoomForLabel(span, room);
    const isLinkAsText = shown !== span;
    // Spans are escaped one by one; joined, "#" and "general" would become a channel.
    const seam = (followsLinkAsText || isLinkAsText) && text !== '' ? WORD_JOINER : '';
    const fit = longestFit(shown.text, room, (part) => {
      return seam + spanAsMrkdwn({ ...shown, text: part }, before, after);
    });
    text += fit.text;
    followsLinkAsText = isLinkAsText;
    if (fit.cut) return { text: isBlank(text) ? '' : lead + text, cut: true };
  }
  return { text: lead + text, cut: false };
}

// The neighbor's character next to this span. Formatting marks don't count as word boundaries.
function edgeOf(neighbour: Span | undefined, at: 0 | -1): string {
  const edge = neighbour?.text.at(at) ?? ' ';
  return neighbour && marksOf(neighbour) !== '' && !/\s/.test(edge) ? 'x' : edge;
}

// A link whose URL alone is too long becomes text.
function withRoomForLabel(span: Span, room: number): Span {
  const { href, ...text } = span;
  return href !== undefined && escapedLink(href, '…').length > room ? text : span;
}

/** The longest prefix of `text`, by graphemes, that takes at most `max` units when rendered. */
function longestFit(text: string, max: number, render: (part: string) => string): Written {
  let part = graphemePrefix(text, Math.max(max, 0));
  while (part !== '') {
    const rendered = render(part);
    if (rendered.length <= max) return { text: rendered, cut: part.length < text.length };
    // Escaping lengthens the text, so shorten the next attempt in proportion.
    const next = Math.min(part.length - 1, Math.floor((part.length * max) / rendered.length));
    part = graphemePrefix(part, next);
  }
  return { text: '', cut: text !== '' };
}

/** The span with its marks. Outer spaces stay outside: Slack doesn't format `* a*`. */
function spanAsMrkdwn(span: Span, before: string, after: string): string {
  const inner = span.text.trim();
  if (inner === '') return span.text;
  const start = span.text.slice(0, span.text.length - span.text.trimStart().length);
  const end = span.text.slice(span.text.trimEnd().length);
  const marks = marksOf(span);
  const core = marks.includes('_') ? withoutNameAtEnd(coreOf(span, inner)) : coreOf(span, inner);
  if (marks === '') return start + core + end;
  // ":" and a mark could start the name of an emoji.
  const bounds = before !== ':' && BOUNDS_WORD.test(before);
  const open = start === '' && !bounds ? BOUNDARY : '';
  const close = end === '' && !BOUNDS_WORD.test(after) ? BOUNDARY : '';
  return `${start}${open}${marks}${core}${[...marks].reverse().join('')}${close}${end}`;
}

/** "_" could continue the name of a channel, after a color, or of an emoji. */
const withoutNameAtEnd = (text: string) =>
  text.replace(/(?:#[\da-fA-F]{3,8}|:)$/, `$&${WORD_JOINER}`);

// mrkdwn has no underline, and no formatting inside code.
function marksOf({ styles, href }: Span): string {
  if (styles.code && href === undefined) return '`';
  return (styles.bold ? '*' : '') + (styles.italic ? '_' : '') + (styles.strike ? '~' : '');
}

function coreOf({ styles, href }: Span, text: string): string {
  if (href !== undefined) return escapedLink(href, text);
  return styles.code ? escapeCode(text) : escapeMrkdwn(text);
}
