import { CARD_FRESH_MS } from '../../service/cache/card-reader.ts';
import { slackDate } from './slack-date.ts';

/** The time of a reading that is too old to count as current; undefined for a newer one. */
export function asOfIfOld(readAt: Date, now: Date): Date | undefined {
  return now.getTime() - readAt.getTime() > CARD_FRESH_MS ? readAt : undefined;
}

/** A time such as "5 minutes ago", which Slack keeps up to date. */
export function timeAgo(readAt: Date): string {
  const minute = readAt.toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length).replace('T', ' ');
  return slackDate(readAt, '{ago}', `${minute} UTC`);
}
