import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../any-text.ts';
import { columnsOf, padTo, wrap } from '../../terminal/columns.ts';
import { mrkdwnAsText } from '../../terminal/mrkdwn.ts';
import { createPaint } from '../../terminal/paint.ts';
import { COLORFUL, LOOK } from './look.ts';

describe('columns', () => {
  it.each([
    ['plain', 5],
    ['設計', 4],
    ['✅ done', 7],
    ['e\u0301', 1],
    [createPaint(24).color('#ff0000', 'red'), 3],
    ['', 0],
  ])('of %s are %i', (text, columns) => {
    expect(columnsOf(text)).toBe(columns);
    expect(columnsOf(padTo(text, 10))).toBe(10);
  });

  it('never exceed the limit, unless a single word is wider', () => {
    const words = fc.array(fc.stringMatching(/^[a-z設計]{1,12}$/), { minLength: 1 });
    fc.assert(
      fc.property(words, fc.integer({ min: 1, max: 30 }), (list, columns) => {
        const lines = wrap(list.join(' '), columns);
        expect(lines.join(' ')).toBe(list.join(' '));
        for (const line of lines) {
          expect(columnsOf(line) <= columns || !line.includes(' ')).toBe(true);
        }
      }),
    );
  });
});

describe('mrkdwn on a terminal', () => {
  it.each([
    ['*Sent*', 'Sent'],
    ['5 * 3 * 2', '5 * 3 * 2'],
    ['<https://example.com/1|The card>', 'The card → https://example.com/1'],
    ['<https://example.com/1>', 'https://example.com/1'],
    ['asked by <@U1> in <#C1>', 'asked by @Ann in #general'],
    ['<@U9>', 'U9'],
    ['<!channel> and <!subteam^S1|@design>', '@channel and @design'],
    ['<!date^0^{date_short_pretty} {time}|1970>', '1 Jan 1970 00:00'],
    ['as of <!date^0^{ago}|1970>', 'as of 1 Jan 1970, 00:00'],
    ['<!date^soon^{date}|some day>', 'some day'],
    [':art: :unknown: 10:30:15', '🎨 :unknown: 10:30:15'],
    ['&lt;b&gt; &amp;amp;', '<b> &amp;'],
  ])('shows %s as %s', (mrkdwn, text) => {
    expect(mrkdwnAsText(mrkdwn, LOOK)).toBe(text);
  });

  it('styles bold text word by word, so that a line can end between words', () => {
    expect(mrkdwnAsText('*two words*', COLORFUL)).toBe(
      '\u001B[1mtwo\u001B[22m \u001B[1mwords\u001B[22m',
    );
  });

  it('never lets a control character reach the terminal', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        expect(mrkdwnAsText(text, LOOK)).not.toMatch(/(?!\n)\p{Cc}/u);
        expect(stripVTControlCharacters(mrkdwnAsText(text, LOOK))).toBe(mrkdwnAsText(text, LOOK));
      }),
    );
  });
});

describe('paint', () => {
  it('is plain without colors', () => {
    const { bold, dim, color, hasColors } = createPaint(1);
    expect([bold('a'), dim('a'), color('#ff0000', 'a'), hasColors]).toEqual(['a', 'a', 'a', false]);
  });

  it.each([
    [24, '#5b6cff', '38;2;91;108;255'],
    [8, '#5b6cff', '38;5;105'],
    [8, '#ffffff', '38;5;231'],
    [4, '#e5484d', '31'],
    [4, '#ffffff', '37'],
  ])('with %i bits writes %s as %s', (depth, hex, code) => {
    expect(createPaint(depth).color(hex, 'x')).toBe(`\u001B[${code}mx\u001B[39m`);
  });

  it('leaves text unchanged for an invalid color', () => {
    for (const hex of ['good', '#fff', '#gggggg', '']) {
      expect(createPaint(24).color(hex, 'x')).toBe('x');
    }
  });
});
