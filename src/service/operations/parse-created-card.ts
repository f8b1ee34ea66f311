import { isObject, readId } from './loose-values.ts';
import type { CreatedCard } from './schemas.ts';

const ID_KEYS = ['id', '_id', 'cardId', 'card_id', 'taskId', 'task_id'] as const;
/** Where the new card may be nested. */
const CARD_KEYS = ['card', 'task', 'item', 'result', 'data'] as const;
/** Longer than any ID. */
const MAX_ID_CHARS = 200;
/** Words that mean success rather than an ID. */
const STATUS_WORD =
  /^(ok|okay|success|successful|created|done|true|false|null|accepted|queued)[.!]?$/i;

/**
 * Finds the new card's ID in the answer to a creation, whose format isn't documented (API reference, 4.1): in
 * `data` or in the body itself, directly or in a nested object.
 */
export function parseCreatedCard(body: unknown): CreatedCard {
  if (!isObject(body)) return { cardId: Array.isArray(body) ? idInside(body[0]) : undefined };
  const data: unknown = Array.isArray(body.data) ? body.data[0] : body.data;
  return { cardId: bareId(data) ?? idInside(data) ?? idInside(body) };
}

function idInside(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  const own = idAmongOwnKeys(value);
  if (own !== undefined) return own;
  for (const key of CARD_KEYS) {
    const nested = value[key];
    const found = isObject(nested) ? idAmongOwnKeys(nested) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function idAmongOwnKeys(value: { readonly [key: string]: unknown }): string | undefined {
  for (const key of ID_KEYS) {
    const id = bareId(value[key]);
    if (id !== undefined) return id;
  }
  return undefined;
}

function bareId(value: unknown): string | undefined {
  const id = readId(value);
  if (
    id === undefined ||
    id.length > MAX_ID_CHARS ||
    /\s|\p{Cc}/u.test(id) ||
    STATUS_WORD.test(id)
  ) {
    return undefined;
  }
  return id;
}
