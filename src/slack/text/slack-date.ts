import { tz } from '@date-fns/tz';
import { format } from 'date-fns/format';

// Slack's date formats (docs.slack.dev/messaging/formatting-message-text#date-formatting), the same with "_pretty":
// "pretty" and "ago" are relative to the time of reading, which stored text can't be.
const PATTERNS = new Map(
  Object.entries({
    date_num: 'yyyy-MM-dd',
    date: 'MMMM d, yyyy',
    date_short: 'MMM d, yyyy',
    date_long: 'EEEE, MMMM d, yyyy',
    day_divider: 'EEEE, MMMM d, yyyy',
    ago: 'MMMM d, yyyy',
    time: "HH:mm 'UTC'",
    time_secs: "HH:mm:ss 'UTC'",
  }),
);
const UTC = { in: tz('UTC') };

/**
 * A date as absolute text, in English and UTC because the reader is unknown.
 *
 * @param timestamp in seconds
 * @param formatted Slack's, such as "{date_short} at {time}"
 * @returns '' for an invalid date
 */
export function slackDateText(timestamp: number, formatted: string): string {
  const date = new Date(timestamp * 1_000);
  if (Number.isNaN(date.getTime())) return '';
  return formatted.replace(/\{(\w{1,30})\}/g, (token, name: string) => {
    const pattern = PATTERNS.get(name.replace(/_pretty$/, ''));
    return pattern === undefined ? token : format(date, pattern, UTC);
  });
}

/**
 * A time that Slack writes in the reader's language and time zone, and keeps up to date
 * (docs.slack.dev/messaging/formatting-message-text#date-formatting).
 */
export function slackDate(date: Date, format: string, fallback = isoDay(date)): string {
  return `<!date^${Math.floor(date.getTime() / 1_000)}^${format}|${fallback}>`;
}

const isoDay = (date: Date) => date.toISOString().slice(0, 'YYYY-MM-DD'.length);

/** A time such as "5 minutes ago", which Slack keeps up to date. */
export function timeAgo(readAt: Date): string {
  const minute = readAt.toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length).replace('T', ' ');
  return slackDate(readAt, '{ago}', `${minute} UTC`);
}
