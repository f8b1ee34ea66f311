import { WORD_JOINER } from './escape.ts';
import { ELLIPSIS, graphemePrefix } from './limits.ts';

/** `<url|label>`, and other markup whose label or fallback is mrkdwn. */
const LABELED = /<[^<>|]*\|([^<>]*)>/g;
/** A truncated entity. This app writes only these three (see `escapeMrkdwn`). */
const CUT_ENTITY = /&(?:amp|am|a|lt|l|gt|g)?$/;

/**
 * Clips mrkdwn to `max` UTF-16 units. If it is too long, links are replaced by their labels and the
 * rest is cut with '…', never inside markup or an entity.
 */
export function clipMrkdwn(text: string, max: number): string {
  if (text.length <= max) return text;
  const plain = text.replace(LABELED, `${WORD_JOINER}$1`);
  if (plain.length <= max) return plain;
  const start = graphemePrefix(plain, Math.max(max - ELLIPSIS.length, 0));
  const opened = start.lastIndexOf('<');
  const whole = opened > start.lastIndexOf('>') ? start.slice(0, opened) : start;
  return whole.replace(CUT_ENTITY, '').trimEnd() + ELLIPSIS;
}
