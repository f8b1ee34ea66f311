import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRefreshValue, writeRefreshValue } from '../../../src/slack/card/refresh-value.ts';
import { anyView } from './arbitrary-card.ts';

describe('what a Refresh button carries', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(anyView, ({ url, detail }) => {
        expect(readRefreshValue(writeRefreshValue({ url, detail }))).toEqual({ url, detail });
      }),
    );
  });

  it.each([
    undefined,
    '',
    'null',
    '[]',
    '{"url":1,"detail":"full"}',
    '{"url":"x","detail":"more"}',
    '{"url":"x"}',
  ])('is nothing where it is none of ours: %s', (text) => {
    expect(readRefreshValue(text)).toBeUndefined();
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        readRefreshValue(text);
        expect(readRefreshValue(`${text}x{`)).toBeUndefined();
      }),
    );
  });
});
