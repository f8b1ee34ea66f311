import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  brandsText,
  cardText,
  requestTypesText,
  tagsText,
} from '../../../src/service/cache/answer-text.ts';
import { cardSchema } from '../../../src/service/operations/parse-card.ts';
import { anyCharacter, anyUrl } from '../../any-text.ts';
import { at } from '../../store/stores-under-test.ts';

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

it('a card is restored from its text, whatever it contains', () => {
  fc.assert(
    fc.property(written, (data) => {
      const value = cardSchema('card-1', 'UTC').parse(data);
      const reading = { value, readAt: at(0) };
      expect(cardText.read(cardText.write(reading), at(0))).toEqual(reading);
    }),
  );
});

it('a refusal is restored from its text too', () => {
  const reading = { refused: 'forbidden' as const, readAt: at(0) };
  expect(cardText.read(cardText.write(reading), at(0))).toEqual(reading);
});

it.each(['', 'null', '{"value":{"id":1}}', '{"refused":"unauthorized"}', '{'])(
  'text written by another version is ignored: %j',
  (text) => {
    expect(cardText.read(text, at(0))).toBeUndefined();
  },
);

const named = { id: fc.string(), name: fc.string({ unit: anyCharacter }) };
const names = fc.array(fc.string());
const color = fc.option(fc.string(), { nil: undefined });

it('lists are restored from their text', () => {
  const types = fc.record({ ...named, products: names, formats: names, softwares: names });
  const tags = fc.record({ ...named, color });
  fc.assert(
    fc.property(
      fc.record({
        types: fc.array(types),
        brands: fc.array(fc.record(named)),
        tags: fc.array(tags),
      }),
      (lists) => {
        const restored = {
          types: requestTypesText.read(
            requestTypesText.write({ value: lists.types, readAt: at(0) }),
            at(0),
          ),
          brands: brandsText.read(brandsText.write({ value: lists.brands, readAt: at(0) }), at(0)),
          tags: tagsText.read(tagsText.write({ value: lists.tags, readAt: at(0) }), at(0)),
        };
        expect(restored).toEqual({
          types: { value: lists.types, readAt: at(0) },
          brands: { value: lists.brands, readAt: at(0) },
          tags: { value: lists.tags, readAt: at(0) },
        });
      },
    ),
  );
});
