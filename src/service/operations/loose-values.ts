import { z } from 'zod';

// Readers for values whose type api.md leaves open or a service may get wrong. None of them throws.

/** Keys under which an object standing for a thing usually carries the words that people read. */
const LABEL_KEYS = [
  'name',
  'title',
  'label',
  'text',
  'value',
  'displayName',
  'display_name',
  'fullName',
  'full_name',
  'username',
  'email',
] as const;

/** Of a text for people, how much is kept, in UTF-16 units (ours): four times what any place shows of one. */
export const MAX_LABEL_CHARS = 1_000;
/** Of a card's labels, how many are kept (ours): all of them are shown in one line. */
export const MAX_CARD_LABELS = 100;

export type JsonObject = { readonly [key: string]: unknown };

/** An object that is neither null nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text as it stands, or a number as text; anything else is undefined. */
export function readText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : undefined;
}

/**
 * An identifier: a text that is not blank, or a whole number as text. Numbers past 2^53 are refused, as
 * parsing has already changed their last digits.
 */
export function readId(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined;
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** Words for people out of a text, a number, an object that names itself, or a list of those. */
export function readLabel(value: unknown): string | undefined {
  if (!Array.isArray(value)) return readSingleLabel(value);
  const labels = readLabels(value, MAX_CARD_LABELS);
  return labels.length === 0 ? undefined : labels.join(', ');
}

/**
 * Several labels out of a comma list, a list of texts or objects, or one object.
 *
 * @param most how many of them are read
 */
export function readLabels(value: unknown, most: number): string[] {
  const list = Array.isArray(value) ? value : [value];
  const parts = typeof value === 'string' ? value.split(',', most) : list.slice(0, most);
  return parts.map(readSingleLabel).filter((label) => label !== undefined);
}

/** An http(s) address in its normal form; anything else is undefined. */
export function readWebAddress(value: unknown): string | undefined {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : undefined;
}

function readSingleLabel(value: unknown): string | undefined {
  if (!isObject(value)) return notBlank(readText(value));
  for (const key of LABEL_KEYS) {
    const label = notBlank(readText(value[key]));
    if (label !== undefined) return label;
  }
  return undefined;
}

function notBlank(text: string | undefined): string | undefined {
  const trimmed = text?.trim().slice(0, MAX_LABEL_CHARS);
  return trimmed === '' ? undefined : trimmed;
}

/** A field of an object that may be missing or of any type, read by a function that never throws. */
export const field = <T>(read: (value: unknown) => T) => z.unknown().optional().transform(read);
