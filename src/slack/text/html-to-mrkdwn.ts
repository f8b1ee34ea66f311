import { escapeCode, escapedLink, escapeMrkdwn, WORD_JOINER } from './escape.ts';
import { type Line, linesOf, type Span, type TextLine, withGaps } from './html-lines.ts';
import { parseHtml } from './html-tree.ts';
import { graphemePrefix, isBlank } from './limits.ts';

const ELLIPSIS = '…';
// Slack formats only between word boundaries. A zero-width space is one (jsx-slack: "exact mode").
const BOUNDARY = '\u200b';
const BOUNDS_WORD = /[\s.,:;!?()[\]"'/…-]/;
const FENCE = '```';

type Limits = { maxLength: number; maxLines: number };

/**
 * HTML as mrkdwn for a text object, which should say `verbatim: true`. At most `maxLength` UTF-16 units and
 * `maxLines` lines (default: any number); where something is left out it ends in '…', and never inside a
 * link, an entity or formatted text. '' where there is nothing to read. Mentions nobody, whatever the HTML.
 */
export function htmlToMrkdwn(
  html: string,
  options: { maxLength: number; maxLines?: number },
): string {
  const { maxLength, maxLines = Number.POSITIVE_INFINITY } = options;
  const tree = parseHtml(html, maxLength);
  const whole = write(linesOf(tree), { maxLength, maxLines });
  if (!whole.cut) return whole.text;
  const room = maxLength - ELLIPSIS.length;
  if (room < 0) return '';
  return write(linesOf(tree), { maxLength: room, maxLines }).text.trimEnd() + ELLIPSIS;
}

type Written = { text: string; cut: boolean };

/** Writes lines until something does not fit; then `cut` is true and the text is what does fit. */
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
    // Each was escaped by itself; run together, "#" and "general" would be a channel.
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

// The character at the edge of a neighbour, as far as it bounds a word: marks do not.
function edgeOf(neighbour: Span | undefined, at: 0 | -1): string {
  const edge = neighbour?.text.at(at) ?? ' ';
  return neighbour && marksOf(neighbour) !== '' && !/\s/.test(edge) ? 'x' : edge;
}

// A link whose address alone is too long is shown as text.
function withRoomForLabel(span: Span, room: number): Span {
  const { href, ...text } = span;
  return href !== undefined && escapedLink(href, '…').length > room ? text : span;
}

/** The longest beginning of `text` (by graphemes) that is at most `max` units long once rendered. */
function longestFit(text: string, max: number, render: (part: string) => string): Written {
  let part = graphemePrefix(text, Math.max(max, 0));
  while (part !== '') {
    const rendered = render(part);
    if (rendered.length <= max) return { text: rendered, cut: part.length < text.length };
    // Escaping makes the text longer, so the next try is shorter in proportion.
    const next = Math.min(part.length - 1, Math.floor((part.length * max) / rendered.length));
    part = graphemePrefix(part, next);
  }
  return { text: '', cut: text !== '' };
}

/** The span between its marks; spaces at its edges stay outside, since Slack does not format `* a*`. */
function spanAsMrkdwn(span: Span, before: string, after: string): string {
  const inner = span.text.trim();
  if (inner === '') return span.text;
  const start = span.text.slice(0, span.text.length - span.text.trimStart().length);
  const end = span.text.slice(span.text.trimEnd().length);
  const marks = marksOf(span);
  const core = coreOf(span, inner);
  if (marks === '') return start + core + end;
  const open = start === '' && !BOUNDS_WORD.test(before) ? BOUNDARY : '';
  const close = end === '' && !BOUNDS_WORD.test(after) ? BOUNDARY : '';
  return `${start}${open}${marks}${core}${[...marks].reverse().join('')}${close}${end}`;
}

// Slack knows no underline in mrkdwn, and formats nothing inside code.
function marksOf({ styles, href }: Span): string {
  if (styles.code && href === undefined) return '`';
  return (styles.bold ? '*' : '') + (styles.italic ? '_' : '') + (styles.strike ? '~' : '');
}

function coreOf({ styles, href }: Span, text: string): string {
  if (href !== undefined) return escapedLink(href, text);
  return styles.code ? escapeCode(text) : escapeMrkdwn(text);
}
