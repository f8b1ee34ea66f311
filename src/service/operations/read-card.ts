import { z } from 'zod';
import { dueDate, neededByIn, readDueDate, readMoment } from './dates.ts';
import {
  field,
  isObject,
  MAX_CARD_LABELS,
  MAX_LABEL_CHARS,
  readId,
  readLabel,
  readLabels,
  readText,
  readWebAddress,
} from './loose-values.ts';

// The sections are those of the service's API reference. Dates are strings once a card was stored as JSON.

const text = z.string().optional();
const texts = z.array(z.string());

/** What a card refers to. A lone text may be its name or its ID. */
export type CardReference = z.infer<typeof cardReference>;
const cardReference = z.object({ id: text, name: text });

/** `color` is `#rrggbb`; other formats are omitted (2.3). */
type CardStatus = z.infer<typeof cardStatus>;
const cardStatus = z.object({ id: text, name: z.string(), color: text });

/** A file of a card (2.4). `ext` is in lower case, without a dot; `urls` are http(s) only. */
export type CardFile = z.infer<typeof storedFile>;
const storedFile = z.object({
  id: text,
  name: z.string(),
  ext: text,
  type: text,
  /** Whether the request attached it, as far as its name tells; the service doesn't say it. */
  isAttached: z.boolean().optional(),
  urls: z.object({ full: text, large: text, medium: text, small: text }),
});

/** A card, or task (2.2). Missing texts are empty; HTML is as the service sent it. */
export type Card = z.infer<typeof card>;
export const card = z.object({
  id: z.string(),
  title: z.string(),
  descriptionHtml: z.string(),
  textCopyHtml: z.string(),
  requestType: cardReference.optional(),
  productType: text,
  /** May have several labeled lines, separated by newlines. */
  dimensions: text,
  createdBy: text,
  labels: texts,
  tags: texts,
  fileFormats: text,
  software: text,
  status: cardStatus.optional(),
  dueDate: dueDate.optional(),
  createdAt: z.coerce.date().optional(),
  updatedAt: z.coerce.date().optional(),
  files: z.array(storedFile),
  brand: cardReference.optional(),
});

const STATUS_COLOR = /^#[0-9a-f]{6}$/i;

/** How many files of a card are kept (our choice): the last ones, because its picture is the last image. */
export const MAX_CARD_FILES = 100;

/** Nobody shows more of one (our choice), in UTF-16 units. */
const MAX_EXTENSION_CHARS = 32;

const title = field((value) => readText(value)?.trim().slice(0, MAX_LABEL_CHARS) ?? '');
const html = field((value) => readText(value) ?? '');
const label = field(readLabel);
const labels = field((value) => readLabels(value, MAX_CARD_LABELS));
const address = field(readWebAddress);

const fileAddresses = z.object({ full: address, large: address, medium: address, small: address });

const cardFile = z
  .object({
    id: field(readId),
    name: label,
    ext: field(readExtension),
    type: label,
    urls: field((value) => fileAddresses.parse(isObject(value) ? value : {})),
  })
  .transform(({ name, ...file }): CardFile => ({ ...file, name: name ?? 'file' }));

/**
 * A schema for a card (API reference, 2.2). It fails only if the value isn't an object: properties that are
 * missing, null, or of an unexpected type are read as far as possible, or omitted.
 *
 * @param requestedId used if the answer has no ID
 * @param timezone IANA time zone of the service's timestamps
 */
export function cardSchema(requestedId: string, timezone: string) {
  const moment = field((value) => readMoment(value, timezone));
  return z
    .object({
      id: field((value) => readId(value) ?? requestedId),
      title,
      description: html,
      text_copy: html,
      request_type: field(readReference),
      product_type: label,
      dimensions: label,
      created_by: label,
      labels,
      tags: labels,
      file_formats: label,
      software: label,
      status: field(readStatus),
      due_date: field((value) => readDueDate(value, timezone)),
      created_at: moment,
      updated_at: moment,
      files: field(readFiles),
      brand: field(readReference),
    })
    .transform(
      (data): Card => ({
        id: data.id,
        title: data.title,
        descriptionHtml: data.description,
        textCopyHtml: data.text_copy,
        requestType: data.request_type,
        productType: data.product_type,
        dimensions: data.dimensions,
        createdBy: data.created_by,
        labels: data.labels,
        tags: data.tags,
        fileFormats: data.file_formats,
        software: data.software,
        status: data.status,
        dueDate: data.due_date ?? neededByIn(data.description),
        createdAt: data.created_at,
        updatedAt: data.updated_at,
        files: data.files,
        brand: data.brand,
      }),
    );
}

/** A status object (API reference, 2.3), or just its name. */
function readStatus(value: unknown): CardStatus | undefined {
  const name = readLabel(value);
  if (name === undefined) return undefined;
  if (!isObject(value)) return { name };
  const color = readText(value.color)?.trim();
  return {
    id: readId(value.id),
    name,
    color: color !== undefined && STATUS_COLOR.test(color) ? color : undefined,
  };
}

function readFiles(value: unknown): CardFile[] {
  const files = Array.isArray(value) ? value.filter(isObject) : [];
  return files.slice(-MAX_CARD_FILES).map((file) => cardFile.parse(file));
}

function readExtension(value: unknown): string | undefined {
  const extension = readText(value)?.trim().replace(/^\.+/, '').toLowerCase();
  return extension === '' ? undefined : extension?.slice(0, MAX_EXTENSION_CHARS);
}

/** The format of `brand` and `request_type` isn't documented: a string is read as a name, a number as an ID. */
function readReference(value: unknown): CardReference | undefined {
  if (typeof value === 'number') return present(readId(value), undefined);
  if (Array.isArray(value)) return isObject(value[0]) ? readReference(value[0]) : undefined;
  return present(isObject(value) ? readId(value.id) : undefined, readLabel(value));
}

function present(id: string | undefined, name: string | undefined): CardReference | undefined {
  return id === undefined && name === undefined ? undefined : { id, name };
}
