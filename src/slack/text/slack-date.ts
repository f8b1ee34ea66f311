type Parts = Intl.DateTimeFormatOptions;
const LONG: Parts = { weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' };
const MEDIUM: Parts = { month: 'long', day: 'numeric', year: 'numeric' };
const SHORT: Parts = { month: 'short', day: 'numeric', year: 'numeric' };
const TIME: Parts = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZoneName: 'short' };

// Tokens of Slack's date formats
// (docs.slack.dev/messaging/formatting-message-text#date-formatting). "pretty" and "ago" are
// relative to the time of reading, which stored text can't be.
const TOKENS = new Map<string, Parts>([
  ['date', MEDIUM],
  ['date_pretty', MEDIUM],
  ['date_short', SHORT],
  ['date_short_pretty', SHORT],
  ['date_long', LONG],
  ['date_long_pretty', LONG],
  ['day_divider_pretty', LONG],
  ['ago', MEDIUM],
  ['time', TIME],
  ['time_secs', { ...TIME, second: '2-digit' }],
]);

const formats = new Map<string, Intl.DateTimeFormat>();

function formatFor(name: string): Intl.DateTimeFormat | undefined {
  const parts = TOKENS.get(name);
  const known = formats.get(name);
  if (known || !parts) return known;
  const made = new Intl.DateTimeFormat('en-US', { ...parts, timeZone: 'UTC' });
  formats.set(name, made);
  return made;
}

/**
 * A date as absolute text, in English and UTC because the reader is unknown.
 *
 * @param timestamp in seconds
 * @param format Slack's, such as "{date_short} at {time}"
 * @returns '' for an invalid date
 */
export function slackDateText(timestamp: number, format: string): string {
  const date = new Date(timestamp * 1_000);
  if (Number.isNaN(date.getTime())) return '';
  return format.replace(/\{(\w{1,30})\}/g, (token, name: string) => {
    if (name === 'date_num') return date.toISOString().slice(0, 'YYYY-MM-DD'.length);
    return formatFor(name)?.format(date) ?? token;
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
