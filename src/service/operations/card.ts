import { isCardId } from '../../references.ts';
import { DesignApiError } from '../errors.ts';
import { answerFailure, saysCreated } from '../http/answer.ts';
import { type Call, type ClientContext, call, dataOf, type Resource } from '../http/call.ts';
import {
  entryOf,
  isObject,
  type JsonObject,
  MAX_CARD_LABELS,
  neededByIn,
  readDueDate,
  readId,
  readLabel,
  readLabels,
  readLine,
  readMoment,
  readText,
  readWebAddress,
} from './loose-values.ts';

// The sections are those of the service's API reference.

/** A card, or task (2.2). Missing texts are empty; HTML is as the service sent it. */
export type Card = ReturnType<typeof readCard>;
/** What a card refers to. A lone text may be its name or its ID. */
export type CardReference = NonNullable<ReturnType<typeof readReference>>;
/** A file of a card (2.4). `ext` is in lower case, without a dot; `urls` are http(s) only. */
export type CardFile = {
  id?: string | undefined;
  name: string;
  ext?: string | undefined;
  type?: string | undefined;
  /** Whether it came with the request, judging by its name: the service doesn't say so. */
  isAttached?: boolean | undefined;
  urls: { [size in 'full' | 'large' | 'medium' | 'small']?: string | undefined };
};

const STATUS_COLOR = /^#[0-9a-f]{6}$/i;

/** How many files of a card are kept (our choice): the last ones, because its picture is the last image. */
export const MAX_CARD_FILES = 100;

/** How much of a file's extension is kept (our choice), in UTF-16 units: more is never shown. */
const MAX_EXTENSION_CHARS = 32;

export const cardResource = (id: string, timezone: string): Resource<Card> => ({
  operation: 'getCard',
  path: ['card', id],
  parse(body) {
    const data = dataOf(body);
    return isObject(data) ? readCard(data, id, timezone) : undefined;
  },
});

/** Properties that are missing, null, or of an unexpected type are read as far as possible, or omitted. */
export function readCard(data: JsonObject, requestedId: string, timezone: string) {
  const descriptionHtml = readText(data.description) ?? '';
  const files = Array.isArray(data.files) ? data.files.filter(isObject) : [];
  const id = readId(data.id);
  return {
    // An ID that no link can contain wouldn't lead back to the card either, and Slack may refuse or change it.
    id: id !== undefined && isCardId(id) ? id : requestedId,
    title: readLine(data.title) ?? '',
    descriptionHtml,
    textCopyHtml: readText(data.text_copy) ?? '',
    requestType: readReference(data.request_type),
    productType: readLabel(data.product_type),
    dimensions: readLabel(data.dimensions),
    createdBy: readLabel(data.created_by),
    labels: readLabels(data.labels, MAX_CARD_LABELS),
    tags: readLabels(data.tags, MAX_CARD_LABELS),
    fileFormats: readLabel(data.file_formats),
    software: readLabel(data.software),
    status: readStatus(data.status),
    dueDate: readDueDate(data.due_date, timezone) ?? neededByIn(descriptionHtml),
    createdAt: readMoment(data.created_at, timezone),
    updatedAt: readMoment(data.updated_at, timezone),
    files: files.slice(-MAX_CARD_FILES).map(readFile),
    brand: readReference(data.brand),
  };
}

/** A status object (2.3), or just its name. `color` is `#rrggbb`; other formats are omitted. */
function readStatus(value: unknown) {
  const status = entryOf(value);
  const name = readLabel(status);
  if (name === undefined) return undefined;
  const { id, color } = isObject(status) ? status : {};
  const text = readLine(color) ?? '';
  return { id: readId(id), name, color: STATUS_COLOR.test(text) ? text : undefined };
}

function readFile(file: JsonObject): CardFile {
  const urls = isObject(file.urls) ? file.urls : {};
  const extension = readLine(file.ext)?.replace(/^\.+/, '').toLowerCase();
  return {
    id: readId(file.id),
    name: readLabel(file.name) ?? 'file',
    ext: extension?.slice(0, MAX_EXTENSION_CHARS) || undefined,
    type: readLabel(file.type),
    urls: {
      full: readWebAddress(urls.full),
      large: readWebAddress(urls.large),
      medium: readWebAddress(urls.medium),
      small: readWebAddress(urls.small),
    },
  };
}

/** The format of `brand` and `request_type` isn't documented: a string is read as a name, a number as an ID. */
function readReference(value: unknown) {
  const one = entryOf(value);
  const isNumber = typeof one === 'number';
  const id = isNumber || isObject(one) ? readId(isNumber ? one : one.id) : undefined;
  const name = isNumber ? undefined : readLabel(one);
  return id === undefined && name === undefined ? undefined : { id, name };
}

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

/** The format isn't documented (API reference, 4.1): in `data` or in the body itself, directly or in a nested object. */
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
