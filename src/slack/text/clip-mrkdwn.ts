import { WORD_JOINER } from './escape.ts';
import { ELLIPSIS, graphemePrefix } from './limits.ts';

/** `<address|label>`, and what else has a label or fallback text that is mrkdwn itself. */
const LABELED = /<[^<>|]*\|([^<>]*)>/g;
/** The beginning of an entity; this app writes no other entities (see `escapeMrkdwn`). */
const HALF_AN_ENTITY = /&(?:amp|am|a|lt|l|gt|g)?$/;

/**
 * mrkdwn as it is if it fits into `max` UTF-16 units. Otherwise its links become their labels and it is cut,
 * with '…' at its end, but never within markup such as a mention or an entity.
 */
export function clipMrkdwn(text: string, max: number): string {
  if (text.length <= max) return text;
  const plain = text.replace(LABELED, `${WORD_JOINER}$1`);
  if (plain.length <= max) return plain;
  const start = graphemePrefix(plain, Math.max(max - ELLIPSIS.length, 0));
  const opened = start.lastIndexOf('<');
  const whole = opened > start.lastIndexOf('>') ? start.slice(0, opened) : start;
  return whole.replace(HALF_AN_ENTITY, '').trimEnd() + ELLIPSIS;
}
