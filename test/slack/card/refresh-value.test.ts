import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type RefreshValue,
  readRefreshValue,
  writeRefreshValue,
} from '../../../src/slack/card/menu.ts';
import { anyCharacter } from '../../any-text.ts';

const cardLinks = { cardIdOf: (url: string) => /card\/(\w+)$/.exec(url)?.[1] };
const read = (text: string | undefined) => readRefreshValue(text, cardLinks);

const anyValue: fc.Arbitrary<RefreshValue> = fc.record(
  {
    cardId: fc.string({ minLength: 1, unit: anyCharacter }),
    detail: fc.constantFrom('large', 'small'),
    moreLinks: fc.integer({ min: 1, max: 999 }),
    isExternal: fc.constant(true),
  },
  { requiredKeys: ['cardId', 'detail'] },
);

describe('the value of Refresh', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        expect(read(writeRefreshValue(value))).toEqual(value);
      }),
    );
  });

  it.each([
    ['full', 'large'],
    ['compact', 'small'],
    ['title', 'small'],
  ])('is read as earlier versions wrote it (%s)', (earlier, detail) => {
    const written = JSON.stringify({ url: 'https://app.example.com/card/1', detail: earlier });
    expect(read(written)).toEqual({ cardId: '1', detail });
  });

  it.each([
    undefined,
    '',
    'null',
    '[]',
    'small:',
    'huge:1',
    'small+99999:1',
    '{"url":1,"detail":"full"}',
    '{"url":"https://app.example.com/card/1","detail":"more"}',
    '{"url":"https://elsewhere.example/1","detail":"full"}',
    '{"url":"x"}',
  ])('is ignored if the app didn’t write it: %s', (text) => {
    expect(read(text)).toBeUndefined();
  });

  it('never causes an error', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        read(text);
        expect(read(`${text}x{`)).toBeUndefined();
      }),
    );
  });
});
