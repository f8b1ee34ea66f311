/**
 * A time that Slack writes in the reader's language and time zone, and keeps up to date
 * (docs.slack.dev/messaging/formatting-message-text#date-formatting).
 */
export function slackDate(date: Date, format: string, fallback = isoDay(date)): string {
  return `<!date^${Math.floor(date.getTime() / 1_000)}^${format}|${fallback}>`;
}

const isoDay = (date: Date) => date.toISOString().slice(0, 'YYYY-MM-DD'.length);
