import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clip, graphemePrefix, isBlank, wellFormed } from '../../../src/slack/text/limits.ts';
import { hostileText } from './hostile-text.ts';

const FAMILY = '👩‍👩‍👧‍👦';

describe('clip', () => {
  it.each([
    ['Spring banner', 8, 'Spring…'],
    ['Spring banner', 1, '…'],
    ['Spring banner', 0, ''],
    // What a reader sees as one character isn't split.
    [`ab${FAMILY}cd`, 8, 'ab…'],
    ['e\u0301e\u0301e\u0301', 4, 'e\u0301…'],
    ['🇩🇪🇫🇷🇮🇹', 7, '🇩🇪…'],
    [FAMILY, 5, '…'],
  ])('makes of %j in %i characters %j', (text, max, clipped) => {
    expect(clip(text, max)).toBe(clipped);
  });

  it('respects its limit and cuts between graphemes, for any text', () => {
    const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
    fc.assert(
      fc.property(hostileText, fc.nat({ max: 40 }), (text, max) => {
        const clipped = clip(text, max);
        expect(clipped.length).toBeLessThanOrEqual(max);
        if (clipped === text || max === 0) return;
        expect(clipped.endsWith('…')).toBe(true);
        const ends = [...graphemes.segment(text)].map(({ index }) => index);
        expect(ends).toContain(graphemePrefix(text, max - 1).length);
      }),
    );
  });
});

describe('wellFormed', () => {
  it.each([
    ['lone surrogates, but not pairs', 'a\ud800b\udc00c😀', 'a\ufffdb\ufffdc😀'],
    ['control characters', 'a\0b\u0007c\u009fd\te\nf\r\ng\u007f', 'abcd\te\nf\ng'],
    ['what changes the direction of text', 'gpj\u202egnp.exe \u2066x\u2069', 'gpjgnp.exe x'],
  ])('removes %s', (_what, text, shown) => {
    expect(wellFormed(text)).toBe(shown);
  });

  it('has no further effect if done twice', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const once = wellFormed(text);
        expect(wellFormed(once)).toBe(once);
        expect(once.isWellFormed()).toBe(true);
      }),
    );
  });
});

describe('isBlank', () => {
  it('counts invisible characters as blank', () => {
    expect(isBlank(' \n\u00a0\u200b\u2060\u00ad\u3164\u2800')).toBe(true);
    expect(isBlank('\u200b.')).toBe(false);
  });
});
