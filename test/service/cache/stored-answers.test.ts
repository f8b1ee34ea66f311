import fc from 'fast-check';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { answerKind } from '../../../src/service/cache/read-cache.ts';
import { card, cardSchema } from '../../../src/service/operations/read-card.ts';
import { brand, requestType, tag } from '../../../src/service/operations/read-list.ts';
import { anyCharacter, anyUrl } from '../../any-text.ts';

const looseText = fc.option(fc.string({ unit: anyCharacter }), { nil: undefined });

/** A card as the service may send it. */
const written = fc.record({
  ...{ id: looseText, title: looseText, description: looseText, text_copy: looseText },
  ...{ request_type: looseText, product_type: looseText, labels: looseText, tags: looseText },
  ...{ file_formats: looseText, software: looseText, dimensions: looseText },
  status: fc.record({ name: looseText, color: fc.constantFrom('#a259ff', 'red', undefined) }),
  due_date: fc.constantFrom('2026-12-01', 'soon', undefined),
  created_at: fc.constantFrom('20-Nov-2026 02:05 PM', undefined),
  updated_at: fc.constantFrom('20-Nov-2026 02:05 PM', undefined),
  files: fc.array(
    fc.record({ name: looseText, ext: looseText, urls: fc.record({ full: anyUrl }) }),
  ),
  brand: fc.constantFrom(undefined, 'Acme', 7, { id: 'b1', name: 'Acme' }),
});

/** As from the database. */
const restored = <Value>(value: z.ZodType<Value>, answer: unknown) =>
  answerKind('test', value, 1).value.safeParse(JSON.parse(JSON.stringify(answer))).data;

it('a card is restored from the database, whatever it contains', () => {
  fc.assert(
    fc.property(written, (data) => {
      const value = cardSchema('card-1', 'UTC').parse(data);
      expect(restored(card, { value })).toEqual({ value });
    }),
  );
});

it('a refusal is restored too', () => {
  expect(restored(card, { refused: 'forbidden' })).toEqual({ refused: 'forbidden' });
});

it.each(['', null, { value: { id: 1 } }, { refused: 'unauthorized' }, {}])(
  'what another version has written is ignored: %j',
  (answer) => {
    expect(restored(card, answer)).toBeUndefined();
  },
);

const named = { id: fc.string(), name: fc.string({ unit: anyCharacter }) };
const names = fc.array(fc.string());
const color = fc.option(fc.string(), { nil: undefined });

it.each([
  [requestType, fc.record({ ...named, products: names, formats: names, softwares: names })],
  [brand, fc.record(named)],
  [tag, fc.record({ ...named, color })],
])('lists are restored too', (schema: z.ZodType<unknown>, item: fc.Arbitrary<unknown>) => {
  fc.assert(
    fc.property(fc.array(item), (value) => {
      expect(restored(z.array(schema), { value })).toEqual({ value });
    }),
  );
});
