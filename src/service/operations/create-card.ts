import { DesignApiError } from '../errors.ts';
import { answerFailure, saysCreated } from '../http/answer.ts';
import { type Call, type ClientContext, call } from '../http/call.ts';
import { isObject, readId } from './loose-values.ts';

/** An element of the file arrays, whose shape the API reference doesn't show: the setting DESIGN_FILE_FORMAT decides it. */
type FileElement = string | { name: string; url: string };

/** The body of the create operation (4.1). */
export type NewCard = {
  title: string;
  description: string;
  typeId: string;
  isDraft?: boolean | undefined;
  product: string;
  dimension: string;
  textCopy?: string | undefined;
  software: string;
  fileFormats: string;
  brandId?: string | undefined;
  textCopyFiles?: FileElement[] | undefined;
  additionalFiles?: FileElement[] | undefined;
  additionalFilesNote?: string | undefined;
  referenceFiles?: FileElement[] | undefined;
  referenceFilesNote?: string | undefined;
};

const OPERATION = 'createCard';

/**
 * Creates a card (API reference, 4.1) with one request that is never retried, because the service can't
 * recognize a duplicate. A 2xx means created, unless its body says otherwise or isn't the service's, such as a proxy's
 * page.
 *
 * @throws DesignApiError: after `not_sent` and `rate_limited` the card can be sent again, after
 *   `outcome_unknown` only once someone has checked; every other code is a definite refusal
 */
export async function createCard(
  ctx: ClientContext,
  card: NewCard,
  { maySend }: Pick<Call, 'maySend'> = {},
): Promise<{ cardId: string | undefined }> {
  const result = await call(ctx, {
    operation: OPERATION,
    method: 'POST',
    callClass: 'person',
    path: ['card'],
    body: JSON.stringify({ data: card }),
    maySend,
  });
  if (result.kind === 'fault') {
    throw new DesignApiError({
      code: result.sent ? 'outcome_unknown' : 'not_sent',
      operation: OPERATION,
      message: result.sent
        ? `${OPERATION}: no answer came, so the card may or may not exist`
        : `${OPERATION}: the design service could not be reached, and nothing was sent`,
      cause: result.reason,
    });
  }
  if (saysCreated(result)) return { cardId: createdIdIn(result.json) };
  // The API reference advises to retry 5xx, but the service may have created the card before it failed, or before a
  // proxy answered in its place.
  throw answerFailure('outcome_unknown', { ...result, operation: OPERATION }, ctx);
}

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
function createdIdIn(body: unknown): string | undefined {
  if (!isObject(body)) return Array.isArray(body) ? idInside(body[0]) : undefined;
  const data: unknown = Array.isArray(body.data) ? body.data[0] : body.data;
  return bareId(data) ?? idInside(data) ?? idInside(body);
}

function idInside(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  const holders = [value, ...CARD_KEYS.map((key) => value[key])].filter(isObject);
  return holders.flatMap((holder) => ID_KEYS.map((key) => bareId(holder[key]))).find(Boolean);
}

function bareId(value: unknown): string | undefined {
  const id = readId(value);
  if (id === undefined || id.length > MAX_ID_CHARS) return undefined;
  return /\s|\p{Cc}/u.test(id) || STATUS_WORD.test(id) ? undefined : id;
}
