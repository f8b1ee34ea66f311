import { tz } from '@date-fns/tz';
import { format } from 'date-fns/format';
import { isValid } from 'date-fns/isValid';
import { parse } from 'date-fns/parse';
import { parseISO } from 'date-fns/parseISO';

// Readers for values whose type the API reference leaves open, or which may be wrong. None of them throws.

/** How much is read of one array or object (our choice: the API reference names no limit). */
export const MAX_ENTRIES = 10_000;

/** Where to look for an object's label. */
const LABEL_KEYS = ['name', 'title', 'label', 'text', 'value', 'full_name', 'username', 'email'];

/** How much of a label is kept, however many parts it has, in UTF-16 units (our choice): four times what is ever shown. */
export const MAX_LABEL_CHARS = 1_000;
/** How many labels of a card are kept (our choice): they are shown in one line. */
export const MAX_CARD_LABELS = 100;

/** Longer ones aren't IDs (our choice), in UTF-16 units. Part of an ID would be another one. */
const MAX_ID_CHARS = 255;
/** The longest URL that Slack takes (docs.slack.dev/reference/block-kit, `image_url`). */
const MAX_URL_CHARS = 3_000;

export type JsonObject = { readonly [key: string]: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The entry of a list that has only one; otherwise the value itself. */
export const entryOf = (value: unknown): unknown =>
  Array.isArray(value) && value.length === 1 ? value[0] : value;

/** A string, or a number as a string; anything else is undefined. */
export function readText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : undefined;
}

/** A text for display, trimmed and shortened; undefined if it is blank. */
export const readLine = (value: unknown): string | undefined =>
  readText(value)?.trim().slice(0, MAX_LABEL_CHARS) || undefined;

/** Numbers above 2^53 are refused, because parsing has already changed their last digits. */
export function readId(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined;
  const id = typeof value === 'string' ? value.trim() : '';
  return id !== '' && id.length <= MAX_ID_CHARS ? id : undefined;
}

/** A label from a string, a number, an object with a name, or an array of those. */
export function readLabel(value: unknown): string | undefined {
  if (Array.isArray(value)) return readLine(readLabels(value, MAX_CARD_LABELS).join(', '));
  if (!isObject(value)) return readLine(value);
  return LABEL_KEYS.map((key) => readLine(value[key])).find(Boolean);
}

/** Several labels from a comma-separated string, an array of strings or objects, or one object. */
export function readLabels(value: unknown, most = MAX_ENTRIES): string[] {
  const list = Array.isArray(value) ? value : [value];
  const parts = typeof value === 'string' ? value.split(',', most) : list.slice(0, most);
  return parts
    .map((part) => (Array.isArray(part) ? undefined : readLabel(part)))
    .filter((label) => label !== undefined);
}

export function readWebAddress(value: unknown): string | undefined {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  return isWeb && url.href.length <= MAX_URL_CHARS ? url.href : undefined;
}

// From their own files: the index loads hundreds of others.

/** Longer texts aren't parsed: the longest format has 35 characters. */
const MAX_MOMENT_CHARS = 100;

/** The service's format (API reference, 2.2), and the same without a time of day. */
const SERVICE_FORMATS = [
  { pattern: /^\d{1,2}-[a-z]{3}-\d{4} \d{1,2}:\d{2} [ap]m$/i, format: 'd-MMM-yyyy h:mm a' },
  { pattern: /^\d{1,2}-[a-z]{3}-\d{4}$/i, format: 'd-MMM-yyyy' },
];
const ISO_PATTERN = /^\d{4}-\d{2}-\d{2}([T ]|$)/;
const UNIX_PATTERN = /^\d{9,14}$/;

/** Smaller numbers aren't times (in seconds, this is 1973). */
const FIRST_UNIX_SECOND = 1e8;
/** Unix times from here on are in milliseconds (in seconds, this would be the year 5138). */
export const FIRST_UNIX_MILLISECOND = 1e11;
const LAST_UNIX_MILLISECOND = 1e14;

/** In the service's format with or without a time of day, ISO 8601 (in `timezone`), or Unix seconds or milliseconds. */
export function readMoment(value: unknown, timezone: string): Date | undefined {
  const given = readText(value) ?? '';
  if (given.length > MAX_MOMENT_CHARS) return undefined;
  const text = given.trim().replace(/\s+/g, ' ');
  if (typeof value === 'number' || UNIX_PATTERN.test(text)) return unixDate(Number(text));
  const zone = { in: tz(timezone) };
  if (ISO_PATTERN.test(text)) return plainDate(parseISO(text, zone));
  const known = SERVICE_FORMATS.find(({ pattern }) => pattern.test(text));
  return known && plainDate(parse(text, known.format, new Date(0), zone));
}

function unixDate(value: number): Date | undefined {
  if (!(value >= FIRST_UNIX_SECOND && value <= LAST_UNIX_MILLISECOND)) return undefined;
  return new Date(value < FIRST_UNIX_MILLISECOND ? value * 1_000 : value);
}

function plainDate(date: Date): Date | undefined {
  return isValid(date) ? new Date(date.getTime()) : undefined;
}

/** A due date as the service wrote it, and if it can be parsed, as a date. */
export type DueDate = {
  text: string;
  date?: Date | undefined;
  /** The day in the service's time zone, as `YYYY-MM-DD`. */
  day?: string | undefined;
  /** Whether it has no time of day. */
  isWholeDay?: boolean | undefined;
  /** Whether only the request asks for it. */
  isNeededBy?: boolean | undefined;
};

const WHOLE_DAY = /^(?:\d{4}-\d{2}-\d{2}|\d{1,2}-[a-z]{3}-\d{4})$/i;

/** Where to look for the date if `due_date` is an object. */
const DATE_KEYS = ['date', 'datetime', 'due_date', 'iso', 'timestamp', '$date', 'value', 'text'];

/** The format isn't documented (API reference, 2.2): any text is kept; what can be a Unix time becomes ISO 8601. */
export function readDueDate(value: unknown, timezone: string): DueDate | undefined {
  if (!isObject(value)) return readSingleDueDate(value, timezone);
  return DATE_KEYS.map((key) => readSingleDueDate(value[key], timezone)).find(Boolean);
}

/** When a request is needed, as `YYYY-MM-DD` or `D-Mon-YYYY`, until the service has a due date. */
export function neededBy(day: string | undefined): DueDate | undefined {
  const due = day === undefined ? undefined : readSingleDueDate(day, 'UTC');
  return due?.date && { ...due, isNeededBy: true };
}

const NEEDED_BY = /Needed by (?:[A-Z][a-z]{2}, )?(\d{1,2}) ([A-Z][a-z]{2}) (\d{4})/g;

/** The same, from the last line of a description that says it: the create operation takes no date. */
export function neededByIn(html: string): DueDate | undefined {
  const found = [...html.matchAll(NEEDED_BY)].at(-1);
  return neededBy(found?.slice(1).join('-'));
}

function readSingleDueDate(value: unknown, timezone: string): DueDate | undefined {
  const text = readLine(value);
  if (text === undefined || value === 0) return undefined;
  const date = readMoment(value, timezone);
  if (date === undefined) return { text };
  const day = format(date, 'yyyy-MM-dd', { in: tz(timezone) });
  const parsed = { date, day, isWholeDay: WHOLE_DAY.test(text) };
  return { text: typeof value === 'number' ? date.toISOString() : text, ...parsed };
}
