import { escapeCode, escapedLink, escapeMrkdwn } from './escape.ts';
import { linesOf, type Span } from './html-lines.ts';
import { clip, ELLIPSIS } from './limits.ts';

// Slack formats only between word boundaries; a zero-width space is one (jsx-slack's "exact mode").
const BOUNDARY = '\u200b';
const STARTS_WORD = /(?:^|[\s(\u200b])$/;
const ENDS_WORD = /^(?:$|[\s.,;!?)])/;

/**
 * Converts HTML to mrkdwn for a text object with `verbatim: true`. The result has at most
 * `maxLength` UTF-16 units and `maxLines` lines; if cut, it ends with '…', never inside a link, an
 * entity, or formatted text. It is '' for blank HTML. It never mentions anyone.
 */
export function htmlToMrkdwn(html: string, options: { maxLength: number; maxLines?: number }) {
  const { maxLength, maxLines = Number.POSITIVE_INFINITY } = options;
  const lines = linesOf(html);
  let text = '';
  for (const [index, line] of lines.entries()) {
    const start = `${index > 0 ? '\n' : ''}${line.quoted ? '> ' : ''}${line.lead}`;
    const left = maxLength - text.length - start.length;
    const room = index === lines.length - 1 ? left : left - ELLIPSIS.length;
    if (index >= maxLines || room < 1) return text.trimEnd() + ELLIPSIS;
    const words = line.spans.map((span) => span.text).join('');
    // A line that doesn't fit loses its formatting and links.
    const shown = [spansAsMrkdwn(line.spans), escapeMrkdwn(words)].find(
      (one) => one.length <= room,
    );
    if (shown === undefined) return text + start + clipEscaped(words, left);
    text += start + shown;
  }
  return text;
}

/** As much of a text as fits once it is escaped. */
function clipEscaped(text: string, max: number): string {
  for (let length = max; length > 0; ) {
    const escaped = escapeMrkdwn(clip(text, length));
    if (escaped.length <= max) return escaped;
    // Escaping lengthens the text, so shorten the next attempt in proportion.
    length = Math.min(length - 1, Math.floor((length * max) / escaped.length));
  }
  return ELLIPSIS;
}

function spansAsMrkdwn(spans: readonly Span[]): string {
  let text = '';
  for (const [index, span] of spans.entries()) {
    const inner = span.text.trim();
    const marks = marksOf(span);
    // Outer spaces stay outside: Slack doesn't format `* a*`.
    const before = span.text.slice(0, span.text.length - span.text.trimStart().length);
    const after = span.text.slice(span.text.trimEnd().length);
    if (inner === '' || marks === '') {
      text += inner === '' ? span.text : before + coreOf(span, inner) + after;
      continue;
    }
    const open = STARTS_WORD.test(text + before) ? '' : BOUNDARY;
    const close = ENDS_WORD.test(after || (spans[index + 1]?.text ?? '')) ? '' : BOUNDARY;
    const core = `${marks}${coreOf(span, inner)}${[...marks].reverse().join('')}`;
    text += before + open + core + close + after;
  }
  return text;
}

// mrkdwn has no formatting inside code.
function marksOf({ marks, href }: Span): string {
  return marks.includes('`') && href === undefined ? '`' : marks.replace('`', '');
}

function coreOf({ marks, href }: Span, text: string): string {
  if (href !== undefined) return escapedLink(href, text);
  return marks.includes('`') ? escapeCode(text) : escapeMrkdwn(text);
}
