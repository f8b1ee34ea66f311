import { z } from 'zod';
import type { Brand, Card, RequestType, Tag } from '../operations/schemas.ts';
import type { AnswerText, CachedValue } from './cached-value.ts';

function answerText<Value>(value: z.ZodType<Value>): AnswerText<Value> {
  const answer = z.union([
    z.object({ value }),
    z.object({ refused: z.enum(['not_found', 'forbidden']) }),
  ]);
  return {
    write: (reading) =>
      JSON.stringify('value' in reading ? { value: reading.value } : { refused: reading.refused }),
    read(written, readAt) {
      try {
        return { ...answer.parse(JSON.parse(written)), readAt } as CachedValue<Value>;
      } catch {
        return undefined;
      }
    },
  };
}

const text = z.string().optional();
const texts = z.array(z.string());
const flag = z.boolean().optional();
// JSON has dates as strings.
const moment = z.coerce.date().optional();

export const cardText: AnswerText<Card> = answerText(
  z.object({
    id: z.string(),
    title: z.string(),
    descriptionHtml: z.string(),
    textCopyHtml: z.string(),
    requestType: z.object({ id: text, name: text }).optional(),
    productType: text,
    dimensions: text,
    createdBy: text,
    labels: texts,
    tags: texts,
    fileFormats: text,
    software: text,
    status: z.object({ id: text, name: z.string(), color: text }).optional(),
    dueDate: z
      .object({ text: z.string(), date: moment, day: text, isWholeDay: flag, isNeededBy: flag })
      .optional(),
    createdAt: moment,
    updatedAt: moment,
    files: z.array(
      z.object({
        id: text,
        name: z.string(),
        ext: text,
        type: text,
        urls: z.object({ full: text, large: text, medium: text, small: text }),
      }),
    ),
    brand: z.object({ id: text, name: text }).optional(),
  }),
);

const named = { id: z.string(), name: z.string() };

export const requestTypes: z.ZodType<RequestType[]> = z.array(
  z.object({ ...named, products: texts, formats: texts, softwares: texts }),
);
export const brands: z.ZodType<Brand[]> = z.array(z.object(named));

export const requestTypesText = answerText(requestTypes);
export const brandsText = answerText(brands);
export const tagsText: AnswerText<Tag[]> = answerText(z.array(z.object({ ...named, color: text })));
