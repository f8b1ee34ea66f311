/**
 * A time that Slack writes in the reader's language and time zone, and keeps up to date
 * (docs.slack.dev/messaging/formatting-message-text#date-formatting).
 */
export function slackDate(date: Date, format: string, fallback = isoDay(date)): string {
  return `<!date^${Math.floor(date.getTime() / 1_000)}^${format}|${fallback}>`;
}

const isoDay = (date: Date) => date.toISOString().slice(0, 'YYYY-MM-DD'.length);

/** Such as "2026-11-25 08:21 UTC", since the reader is unknown; '' for an invalid date. `timestamp` is in seconds. */
export function utcMinute(timestamp: number): string {
  const date = new Date(timestamp * 1_000);
  if (Number.isNaN(date.getTime())) return '';
  const minute = date.toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length);
  return `${minute.replace('T', ' ')} UTC`;
}

/** A time such as "5 minutes ago", which Slack keeps up to date. */
export const timeAgo = (readAt: Date): string =>
  slackDate(readAt, '{ago}', utcMinute(readAt.getTime() / 1_000));
