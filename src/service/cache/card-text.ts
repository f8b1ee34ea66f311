import { z } from 'zod';
import type { Card } from '../operations/schemas.ts';
import type { CachedValue } from './cached-value.ts';

const text = z.string().optional();
// JSON has dates as strings.
const moment = z.coerce.date().optional();

const card = z.object({
  ...{ id: z.string(), title: z.string(), descriptionHtml: z.string(), textCopyHtml: z.string() },
  requestType: z.object({ id: text, name: text }).optional(),
  ...{ productType: text, dimensions: text, createdBy: text },
  ...{ labels: z.array(z.string()), tags: z.array(z.string()), fileFormats: text, software: text },
  status: z.object({ id: text, name: z.string(), color: text }).optional(),
  dueDate: z
    .object({ text: z.string(), date: moment, day: text, isWholeDay: z.boolean().optional() })
    .optional(),
  ...{ createdAt: moment, updatedAt: moment },
  files: z.array(
    z.object({
      ...{ id: text, name: z.string(), ext: text, type: text },
      urls: z.object({ full: text, large: text, medium: text, small: text }),
    }),
  ),
  brand: z.object({ id: text, name: text }).optional(),
}) satisfies z.ZodType<Card>;

const answer = z.union([
  z.object({ value: card }),
  z.object({ refused: z.enum(['not_found', 'forbidden']) }),
]);

/** Serializes a cached card without `readAt`, which is stored in its own column. */
export function writeAnswer(reading: CachedValue<Card>): string {
  return JSON.stringify(
    'value' in reading ? { value: reading.value } : { refused: reading.refused },
  );
}

/** @returns undefined if another version of the app has written something else */
export function readAnswer(written: string, readAt: Date): CachedValue<Card> | undefined {
  try {
    return { ...answer.parse(JSON.parse(written)), readAt };
  } catch {
    return undefined;
  }
}
