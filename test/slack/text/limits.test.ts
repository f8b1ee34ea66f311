import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clip, graphemePrefix, isBlank, wellFormed } from '../../../src/slack/text/limits.ts';
import { hostileText } from './hostile-text.ts';

const FAMILY = '👩‍👩‍👧‍👦';

describe('clip', () => {
  it('keeps text that fits', () => {
    expect(clip('Spring banner', 13)).toBe('Spring banner');
    expect(clip('', 0)).toBe('');
  });

  it('ends what it cuts with an ellipsis, without a space before it', () => {
    expect(clip('Spring banner', 8)).toBe('Spring…');
    expect(clip('Spring banner', 1)).toBe('…');
    expect(clip('Spring banner', 0)).toBe('');
  });

  it('doesn’t split what a reader sees as one character', () => {
    expect(clip(`ab${FAMILY}cd`, 8)).toBe('ab…');
    expect(clip(`e\u0301e\u0301e\u0301`, 4)).toBe('e\u0301…');
    expect(clip('🇩🇪🇫🇷🇮🇹', 7)).toBe('🇩🇪…');
    expect(clip(FAMILY, 5)).toBe('…');
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
  it('replaces lone surrogates and keeps pairs', () => {
    expect(wellFormed('a\ud800b\udc00c😀')).toBe('a\ufffdb\ufffdc😀');
  });

  it('removes control characters except line feeds and tabs', () => {
    expect(wellFormed('a\0b\u0007c\u009fd\te\nf\r\ng\u007f')).toBe('abcd\te\nf\ng');
  });

  it('removes characters that change the direction of text', () => {
    expect(wellFormed('invoice\u202egnp.exe \u2066x\u2069')).toBe('invoicegnp.exe x');
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
