import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type RefreshValue,
  readRefreshValue,
  writeRefreshValue,
} from '../../../src/slack/card/menu.ts';
import { anyCharacter } from '../../any-text.ts';

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
        expect(readRefreshValue(writeRefreshValue(value))).toEqual(value);
      }),
    );
  });

  it.each([undefined, 'small:', 'huge:1', 'small+99999:1'])(
    'is ignored if the app didn’t write it: %s',
    (text) => {
      expect(readRefreshValue(text)).toBeUndefined();
    },
  );
});
