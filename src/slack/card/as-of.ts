import { CARD_FRESH_MS } from '../../service/cache/card-reader.ts';

/** The time of a reading that is too old to count as current; undefined for a newer one. */
export function asOfIfOld(readAt: Date, now: Date): Date | undefined {
  return now.getTime() - readAt.getTime() > CARD_FRESH_MS ? readAt : undefined;
}

/**
 * A time such as "5 minutes ago", which Slack keeps up to date
 * (docs.slack.dev/messaging/formatting-message-text#date-formatting).
 */
export function timeAgo(readAt: Date): string {
  const seconds = Math.floor(readAt.getTime() / 1_000);
  const fallback = `${readAt.toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length).replace('T', ' ')} UTC`;
  return `<!date^${seconds}^{ago}|${fallback}>`;
}
