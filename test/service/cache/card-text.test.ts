import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readAnswer, writeAnswer } from '../../../src/service/cache/card-text.ts';
import { cardSchema } from '../../../src/service/operations/parse-card.ts';
import { at } from '../../store/stores-under-test.ts';

const looseText = fc.option(fc.string({ unit: 'binary' }), { nil: undefined });

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
    fc.record({ name: looseText, ext: looseText, urls: fc.record({ full: fc.webUrl() }) }),
  ),
  brand: fc.constantFrom(undefined, 'Acme', 7, { id: 'b1', name: 'Acme' }),
});

it('a card is restored from its text, whatever it contains', () => {
  fc.assert(
    fc.property(written, (data) => {
      const value = cardSchema('card-1', 'UTC').parse(data);
      const reading = { value, readAt: at(0) };
      expect(readAnswer(writeAnswer(reading), at(0))).toEqual(reading);
    }),
  );
});

it('a refusal is restored from its text too', () => {
  const reading = { refused: 'forbidden' as const, readAt: at(0) };
  expect(readAnswer(writeAnswer(reading), at(0))).toEqual(reading);
});

it.each(['', 'null', '{"value":{"id":1}}', '{"refused":"unauthorized"}', '{'])(
  'text written by another version is ignored: %j',
  (text) => {
    expect(readAnswer(text, at(0))).toBeUndefined();
  },
);
