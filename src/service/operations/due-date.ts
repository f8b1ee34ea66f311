import { isObject, MAX_LABEL_CHARS, readText } from './loose-values.ts';
import { readMoment } from './timestamps.ts';

/** A due date as the service wrote it, with the moment where one can be read from it. */
export type DueDate = { text: string; date?: Date | undefined };

/** Keys under which an object standing for a date may carry it. */
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
 * Reads `due_date`, whose form is not shown (api.md, 2.2): text of any kind is kept as text, a number that
 * can be a Unix time becomes its ISO text.
 */
export function readDueDate(value: unknown, timezone: string): DueDate | undefined {
  if (!isObject(value)) return readSingleDueDate(value, timezone);
  for (const key of DATE_KEYS) {
    const found = readSingleDueDate(value[key], timezone);
    if (found !== undefined) return found;
  }
  return undefined;
}

function readSingleDueDate(value: unknown, timezone: string): DueDate | undefined {
  const text = readText(value)?.trim().slice(0, MAX_LABEL_CHARS);
  if (text === undefined || text === '' || value === 0) return undefined;
  const date = readMoment(value, timezone);
  if (date === undefined) return { text };
  return { text: typeof value === 'number' ? date.toISOString() : text, date };
}
