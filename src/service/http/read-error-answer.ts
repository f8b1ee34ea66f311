import { isObject, readText } from '../operations/loose-values.ts';

/** Limits, so that an error never contains a whole answer. */
const MAX_SERVICE_TEXT_CHARS = 300;
const MAX_DETAILS = 50;
/** The API reference shows `details` as a flat map. */
const MAX_DETAIL_DEPTH = 3;

export type ErrorAnswer = {
  serviceMessage?: string | undefined;
  details?: Record<string, string> | undefined;
};

/**
 * Reads the service's error body (API reference, section 7), as far as possible.
 *
 * @param answer the parsed body; may be anything
 */
export function readErrorAnswer(answer: unknown): ErrorAnswer {
  if (!isObject(answer)) return {};
  const keep = (text: string) => text.slice(0, MAX_SERVICE_TEXT_CHARS).toWellFormed();
  const message = readText(answer.message)?.trim();
  const details = detailEntries(answer.details)
    .slice(0, MAX_DETAILS)
    .map(([name, text]) => [keep(name), keep(text)]);
  return {
    serviceMessage: message === undefined || message === '' ? undefined : keep(message),
    details: details.length === 0 ? undefined : Object.fromEntries(details),
  };
}

/** Accepts a map of field names to messages, an array of `{ field, message }`, or an array of strings. */
function detailEntries(details: unknown): [string, string][] {
  if (!Array.isArray(details)) return isObject(details) ? readEntries(Object.entries(details)) : [];
  const named = details.map((item, index): [string, unknown] => {
    if (!isObject(item)) return [String(index), item];
    const name = readText(item.field) ?? readText(item.path) ?? readText(item.name);
    return [name ?? String(index), item.message ?? item];
  });
  return readEntries(named);
}

function readEntries(entries: [string, unknown][]): [string, string][] {
  return entries
    .slice(0, MAX_DETAILS)
    .map(([name, value]): [string, string] => [name, detailText(value, MAX_DETAIL_DEPTH)])
    .filter(([, text]) => text !== '');
}

function detailText(value: unknown, depth: number): string {
  if (typeof value === 'boolean') return String(value);
  const text = readText(value);
  if (text !== undefined || depth === 0 || typeof value !== 'object' || value === null) {
    return text?.trim() ?? '';
  }
  const parts = Object.values(value).slice(0, MAX_DETAILS);
  return parts
    .map((part) => detailText(part, depth - 1))
    .filter((part) => part !== '')
    .join('; ');
}
