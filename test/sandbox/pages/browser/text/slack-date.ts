/** Formats of dates that the app uses (docs.slack.dev/messaging/formatting-message-text, "Date formatting"). */
const STYLES: Record<string, Intl.DateTimeFormatOptions> = {
  date: { year: 'numeric', month: 'long', day: 'numeric' },
  date_short: { year: 'numeric', month: 'short', day: 'numeric' },
  time: { hour: 'numeric', minute: '2-digit' },
};
const DAY_MS = 86_400_000;

/** A time in the reader's time zone and language; the fallback if it isn't valid. */
export function slackDate(
  { seconds, format, fallback }: { seconds: number; format: string; fallback: string },
  now: Date,
): string {
  const date = new Date(seconds * 1_000);
  if (Number.isNaN(date.getTime())) return fallback;
  return format.replaceAll(/\{(\w+)\}/g, (token, name: string) => {
    if (name === 'ago') return ago(date, now);
    const pretty = name.endsWith('_pretty') ? nearDay(date, now) : undefined;
    const style = STYLES[name.replace(/_pretty$/, '')];
    return pretty ?? (style ? new Intl.DateTimeFormat('en', style).format(date) : token);
  });
}

const UNITS: [unit: Intl.RelativeTimeFormatUnit, ms: number][] = [
  ['year', 365 * DAY_MS],
  ['month', 30 * DAY_MS],
  ['week', 7 * DAY_MS],
  ['day', DAY_MS],
  ['hour', DAY_MS / 24],
  ['minute', DAY_MS / 24 / 60],
];

/** “3 minutes ago”, or “in 2 days”. */
function ago(date: Date, now: Date): string {
  const ms = date.getTime() - now.getTime();
  const [unit, length] = UNITS.find((one) => Math.abs(ms) >= one[1]) ?? [];
  if (!unit || !length) return 'just now';
  return new Intl.RelativeTimeFormat('en').format(Math.trunc(ms / length), unit);
}

function nearDay(date: Date, now: Date): string | undefined {
  const day = (moment: Date) => new Date(moment).setHours(0, 0, 0, 0);
  const days = Math.round((day(date) - day(now)) / DAY_MS);
  return { '-1': 'yesterday', '0': 'today', '1': 'tomorrow' }[days];
}

/** `11:42:07.031`, in the reader's time zone. */
export const timeOfDay = (ms: number): string =>
  new Date(ms).toLocaleTimeString('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
  });
