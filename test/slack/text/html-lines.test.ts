import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ELEMENTS_MAX,
  HTML_MAX,
  htmlToText,
  type Line,
  linesOf,
} from '../../../src/slack/text/html-lines.ts';
import { propertyRuns } from '../../repeatable-properties.ts';
import { anyHtml } from './hostile-text.ts';
import { stylesOf } from './mrkdwn-reader.ts';

/** Lines with the names of their styles, such as `> • one {bold two}`. */
const shown = (html: string) => linesOf(html).map(asText);

function asText({ quoted, lead, spans }: Line): string {
  const pieces = spans.map(({ text, marks, href }) => {
    const look = [...Object.keys(stylesOf(marks)), ...(href ? [href] : [])].join(' ');
    return look ? `{${look} ${text}}` : text;
  });
  return `${quoted ? '> ' : ''}${lead}${pieces.join('')}`;
}

const wordsIn = (html: string) =>
  linesOf(html)
    .map(({ spans }) => spans.map(({ text }) => text).join(''))
    .join('\n');

const NESTED = ['4. a', '    ◦ b', '    ◦ c', '5. d', '    e', 'after'];

describe('linesOf', () => {
  it.each<[what: string, html: string, lines: string[]]>([
    [
      'collapses white space and decodes entities as browsers do',
      '<p>\n  Tom &amp;\n  Jerry&nbsp;&copy; <!-- no -->2026 </p>\n<p> </p>',
      ['Tom & Jerry © 2026'],
    ],
    [
      'keeps line breaks and spaces of text without tags',
      'one\r\n  two &amp; 1 < 2\n\nthree',
      ['one', '  two & 1 < 2', '', 'three'],
    ],
    ['reads a less-than sign as text if it starts no tag', 'a <b & <c', ['a <b & <c']],
    [
      'reads styles, and sorts out overlapping tags',
      '<b>one<i>two</b>three</i><s>4</s><code>6</code>',
      ['{bold one}{bold italic two}{italic three}{strike 4}{code 6}'],
    ],
    ['ignores what Google Docs wraps around', '<b style="font-weight:normal">a</b>', ['a']],
    [
      'nests lists, with their numbers',
      '<ol start="4"><li>a<ul><li>b</li><li>c</li></ul></li><li><p>d</p><p>e</p></li></ol>after',
      NESTED,
    ],
    [
      'nests lists that are never closed',
      '<ol start=4><li>a<ul><li>b<li>c</ul><li>d<p>e</ol>after',
      NESTED,
    ],
    [
      'nests lists that are in no item',
      '<ol start=4><li>a</li><ul><li>b<li>c</ul><li>d<div>e</div></ol>after',
      NESTED,
    ],
    [
      'reads headings, quotes, preformatted text, and blank lines',
      '<h2>Size</h2><blockquote>a<br>b<br></blockquote><p><br></p><p>&nbsp;</p><pre>\n x\n  y\n</pre><p><br></p>',
      ['{bold Size}', '> a', '> b', '', '{code  x}', '{code   y}'],
    ],
    [
      'reads a table as one line per row',
      '<table><tr><th>Size</th><th>Use</th></tr><tr><td><p>300x200</p></td><td><b>web</b></td></tr></table>end',
      ['Size | Use', '300x200 | {bold web}', 'end'],
    ],
    [
      'reads lists and tables in a cell as part of its line',
      '<table><tr><td>a<ul><li>b<li>c</ul><td>d<table><tr><td>e</table><td>f</table>',
      ['a b c | d | e | f'],
    ],
    [
      'keeps links with safe schemes, and images with a description or URL',
      '<a href="https://example.com/?a=1&amp;b=2">x</a><a href="javascript:x">y</a><img src="https://example.com/i.png"><img alt=" the\nlogo " src="data:x"><img src=x>',
      ['{https://example.com/?a=1&b=2 x}y{https://example.com/i.png image}the logo'],
    ],
    [
      'reads the content of unknown tags',
      '<x-card>a <constructor>b</constructor></x-card>',
      ['a b'],
    ],
    [
      'removes characters that don’t belong in text, even as entities',
      '<p>a&#8238;b\u202ec\0d&#7;e\ud800</p>',
      ['abcde\ufffd'],
    ],
  ])('%s', (_what, html, lines) => {
    expect(shown(html)).toEqual(lines);
  });

  it.each([
    '<script>"<p>a</p>"</script>',
    '<style>a</style>',
    '<template>a<template>b</template>c</template>',
    '<noscript>a</noscript>',
    '<head><title>a</title>',
    '<svg><style><![CDATA[</svg>]]></style></svg>',
    '<iframe><p>a</p></iframe>',
    '<!-- a --><!doctype html>',
  ])('drops %s with its content', (html) => {
    expect(shown(`${html}<p>kept</p>`)).toEqual(['kept']);
  });

  it.each(['<ul><li>', '<blockquote>', '<b>', '<table><tr><td>'])(
    'reads text inside a thousand %s',
    (open) => {
      expect(wordsIn(`before${open.repeat(1_000)}text`)).toMatch(/^before.*text$/s);
    },
  );

  it('reads no further than its limits', () => {
    expect(wordsIn(`<p>${'x'.repeat(HTML_MAX)}</p>`)).toHaveLength(HTML_MAX - 3);
    const afterTags = (tags: number) => wordsIn(`${'<br>'.repeat(tags)}text`);
    // Beside html, head, and body.
    expect(afterTags(ELEMENTS_MAX - 3)).toBe('text');
    expect(afterTags(ELEMENTS_MAX - 2)).toBe('');
  });

  it('stops in HTML of which a browser would build a hundred times as many elements as it has tags', () => {
    const open = Array.from({ length: 1_000 }, (_, id) => `<b id=${id}>`).join('');
    expect(linesOf(`<p>${open}${'<p>x'.repeat(1_000)}`).length).toBeLessThan(5);
  });

  it('reads what follows a pasted image, however long that is', () => {
    const image = `<img src="data:image/png;base64,${'A'.repeat(5 * HTML_MAX)}" alt="a logo">`;
    expect(shown(`<p>${image} for the shop</p>`)).toEqual(['a logo for the shop']);
  });

  it('loses no word, whatever the tags around it', () => {
    const tag = fc.constantFrom(
      ...'p b i a ul ol li blockquote pre h1 table tr td br code span div x-y'
        .split(' ')
        .flatMap((name) => [`<${name}>`, `</${name}>`, `<${name}>`]),
    );
    const words = fc.array(
      fc.tuple(fc.array(tag, { maxLength: 4 }), fc.stringMatching(/^[a-z]{1,5}$/)),
    );
    fc.assert(
      fc.property(words, (pieces) => {
        const html = pieces.map(([tags, word]) => `${tags.join('')} ${word} `).join('');
        const read = wordsIn(html).match(/[a-z]+/g) ?? [];
        const written = pieces.map(([, word]) => word);
        // Browsers show what is in a table but not in a cell before the table.
        if (html.includes('<table>')) expect(read.sort()).toEqual(written.sort());
        else expect(read).toEqual(written);
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  it('makes well-formed text without control characters of any input', () => {
    fc.assert(
      fc.property(anyHtml, (html) => {
        const read = htmlToText(html);
        expect(read.isWellFormed()).toBe(true);
        expect(read).not.toMatch(/(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u);
      }),
      { numRuns: propertyRuns(500) },
    );
  });
});
