import { MAX_ENTRIES } from '../http/answer-json.ts';

// Readers for values whose type the API reference leaves open, or which may be wrong. None of them throws.

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

/**
 * An ID: a string that isn't blank, or an integer as a string. Numbers above 2^53 are refused, because parsing
 * has already changed their last digits.
 */
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
