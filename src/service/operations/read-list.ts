import { z } from 'zod';
import { MAX_ENTRIES } from '../http/answer-json.ts';
import { field, isObject, readId, readLabel, readLabels } from './loose-values.ts';

const texts = z.array(z.string());

/** 2.7. `id` is for `NewCard.typeId`. */
export type RequestType = z.infer<typeof requestType>;
export const requestType = z.object({
  id: z.string(),
  name: z.string(),
  products: texts,
  formats: texts,
  softwares: texts,
});

/** 2.6. A brand without a name has its ID as its name. */
export type Brand = z.infer<typeof brand>;
export const brand = z.object({ id: z.string(), name: z.string() });

/** 2.5, with the color of its background, whose format isn't documented. */
export type Tag = z.infer<typeof tag>;
export const tag = z.object({ id: z.string(), name: z.string(), color: z.string().optional() });

const id = field(readId).pipe(z.string());
const label = field(readLabel);
const labels = field((value) => readLabels(value, MAX_ENTRIES));

/** Without a name, people see the ID. */
export const brandSchema = z
  .object({ id, name: label })
  .transform((data): Brand => ({ id: data.id, name: data.name ?? data.id }));

export const tagSchema = z.object({ id, name: label, bg_color: label }).transform(
  (data): Tag => ({
    id: data.id,
    name: data.name ?? data.id,
    color: data.bg_color,
  }),
);

export const requestTypeSchema = z
  .object({ id, name: label, products: labels, formats: labels, softwares: labels })
  .transform((data): RequestType => ({ ...data, name: data.name ?? data.id }));

/**
 * Reads a reference list. Entries without an ID are omitted, and entries whose ID occurred before. Several may
 * have the same name.
 *
 * @returns undefined if `data` isn't an array
 */
export function readReferenceList<T extends { id: string }>(
  data: unknown,
  entry: z.ZodType<T>,
): T[] | undefined {
  if (!Array.isArray(data)) return undefined;
  const byId = new Map<string, T>();
  for (const item of data) {
    const read = entry.safeParse(item);
    if (read.success && !byId.has(read.data.id)) byId.set(read.data.id, read.data);
  }
  return [...byId.values()];
}

/** @param requestedId used if the answer has no ID */
export function readBrand(data: unknown, requestedId: string): Brand | undefined {
  if (!isObject(data)) return undefined;
  return brandSchema.parse({ ...data, id: readId(data.id) ?? requestedId });
}
