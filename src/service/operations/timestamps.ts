import { tz } from '@date-fns/tz';
import { isValid, parse, parseISO } from 'date-fns';

/** Anything longer is no moment (ours): the longest form with all its parts has 35 characters. */
const MAX_MOMENT_CHARS = 100;

const SERVICE_PATTERN = /^\d{1,2}-[a-z]{3}-\d{4} \d{1,2}:\d{2} [ap]m$/i;
const SERVICE_DAY_PATTERN = /^\d{1,2}-[a-z]{3}-\d{4}$/i;
const ISO_PATTERN = /^\d{4}-\d{2}-\d{2}([T ]|$)/;
const UNIX_PATTERN = /^\d{9,14}$/;

/** Numbers below this are no moment anyone means (in seconds: 1973). */
const FIRST_UNIX_SECOND = 1e8;
/** Unix times from here on are milliseconds (in seconds it would be the year 5138). */
const FIRST_UNIX_MILLISECOND = 1e11;
const LAST_UNIX_MILLISECOND = 1e14;

/**
 * Reads the service's own form of a moment, `DD-Mon-YYYY hh:mm AM/PM` (api.md, 2.2), case aside.
 * @param timezone IANA zone that the service writes in; api.md names none.
 * @returns undefined for anything else, also for days and hours that do not exist. Of an hour that a clock
 * change skips or repeats, one reading is taken.
 */
export function parseServiceTimestamp(text: string, timezone: string): Date | undefined {
  const tidy = text.trim().replace(/\s+/g, ' ');
  if (!SERVICE_PATTERN.test(tidy)) return undefined;
  return plainDate(parse(tidy, 'd-MMM-yyyy h:mm a', new Date(0), { in: tz(timezone) }));
}

/**
 * Reads a moment whose form is not shown: the service's own form with or without a time of day, ISO 8601
 * (without an offset: in `timezone`), Unix seconds or milliseconds as a number or digits.
 */
export function readMoment(value: unknown, timezone: string): Date | undefined {
  if (typeof value === 'number') return unixDate(value);
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (text.length > MAX_MOMENT_CHARS) return undefined;
  if (UNIX_PATTERN.test(text)) return unixDate(Number(text));
  if (ISO_PATTERN.test(text)) return plainDate(parseISO(text, { in: tz(timezone) }));
  if (SERVICE_DAY_PATTERN.test(text)) {
    return plainDate(parse(text, 'd-MMM-yyyy', new Date(0), { in: tz(timezone) }));
  }
  return parseServiceTimestamp(text, timezone);
}

function unixDate(value: number): Date | undefined {
  if (!(value >= FIRST_UNIX_SECOND && value <= LAST_UNIX_MILLISECOND)) return undefined;
  return new Date(value < FIRST_UNIX_MILLISECOND ? value * 1_000 : value);
}

function plainDate(date: Date): Date | undefined {
  return isValid(date) ? new Date(date.getTime()) : undefined;
}
