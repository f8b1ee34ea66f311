import { tz } from '@date-fns/tz';
import { format } from 'date-fns/format';
import { isObject, MAX_LABEL_CHARS, readText } from './loose-values.ts';
import type { DueDate } from './schemas.ts';
import { readMoment } from './timestamps.ts';

const WHOLE_DAY = /^(?:\d{4}-\d{2}-\d{2}|\d{1,2}-[a-z]{3}-\d{4})$/i;

/** Where to look for the date if `due_date` is an object. */
const DATE_KEYS = [
  'date',
  'datetime',
  'dateTime',
  'due_date',
  'dueDate',
  'iso',
  'timestamp',
  '$date',
  'seconds',
  'value',
  'text',
  'label',
  'name',
] as const;

/**
 * Reads `due_date`, whose format isn't documented (API reference, 2.2). Any text is kept as text; a number that
 * can be a Unix time is converted to ISO 8601.
 */
export function readDueDate(value: unknown, timezone: string): DueDate | undefined {
  if (!isObject(value)) return readSingleDueDate(value, timezone);
  for (const key of DATE_KEYS) {
    const found = readSingleDueDate(value[key], timezone);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** When a request is needed, as `YYYY-MM-DD` or `D-Mon-YYYY`, until the service has a due date. */
export function neededBy(day: string | undefined): DueDate | undefined {
  const due = day === undefined ? undefined : readSingleDueDate(day, 'UTC');
  return due?.date && { ...due, isNeededBy: true };
}

const NEEDED_BY = /Needed by (?:[A-Z][a-z]{2}, )?(\d{1,2}) ([A-Z][a-z]{2}) (\d{4})/g;

/** The same from the last line that says it in a description; the create operation takes no date. */
export function neededByIn(html: string): DueDate | undefined {
  const found = [...html.matchAll(NEEDED_BY)].at(-1);
  return neededBy(found?.slice(1).join('-'));
}

function readSingleDueDate(value: unknown, timezone: string): DueDate | undefined {
  const text = readText(value)?.trim().slice(0, MAX_LABEL_CHARS);
  if (text === undefined || text === '' || value === 0) return undefined;
  const date = readMoment(value, timezone);
  if (date === undefined) return { text };
  const day = format(date, 'yyyy-MM-dd', { in: tz(timezone) });
  const parsed = { date, day, isWholeDay: WHOLE_DAY.test(text) };
  return { text: typeof value === 'number' ? date.toISOString() : text, ...parsed };
}
