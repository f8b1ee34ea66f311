import { z } from 'zod';
import { brand, card, requestType, tag } from '../operations/schemas.ts';
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

export const cardText = answerText(card);
export const requestTypesText = answerText(z.array(requestType));
export const brandsText = answerText(z.array(brand));
export const tagsText = answerText(z.array(tag));
