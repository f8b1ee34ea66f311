import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRefreshValue, writeRefreshValue } from '../../../src/slack/card/refresh-value.ts';
import { anyView } from './arbitrary-card.ts';

describe('the value of a Refresh button', () => {
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
  ])('is ignored if the app didn’t write it: %s', (text) => {
    expect(readRefreshValue(text)).toBeUndefined();
  });

  it('never causes an error', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        readRefreshValue(text);
        expect(readRefreshValue(`${text}x{`)).toBeUndefined();
      }),
    );
  });
});
