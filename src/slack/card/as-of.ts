import { CARD_FRESH_MS } from '../../service/cache/card-reader.ts';

/** When a card was read, where that is longer ago than cards are taken for current. */
export function asOfIfOld(readAt: Date, now: Date): Date | undefined {
  return now.getTime() - readAt.getTime() > CARD_FRESH_MS ? readAt : undefined;
}

/**
 * `as of 5 minutes ago`, which Slack keeps true as time goes by
 * (https://docs.slack.dev/messaging/formatting-message-text#date-formatting).
 */
export function asOfInWords(readAt: Date): string {
  const seconds = Math.floor(readAt.getTime() / 1_000);
  const fallback = `${readAt.toISOString().slice(0, MINUTES).replace('T', ' ')} UTC`;
  return `as of <!date^${seconds}^{ago}|${fallback}>`;
}
/** Of an ISO date, as far as its minutes. */
const MINUTES = 16;
