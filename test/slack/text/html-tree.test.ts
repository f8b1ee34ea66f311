import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RichNode } from '../../../src/slack/text/html-paragraph.ts';
import { ELEMENTS_MAX, HTML_MAX, parseHtml } from '../../../src/slack/text/html-tree.ts';
import { propertyRuns } from '../../repeatable-properties.ts';
import { anyHtml } from './hostile-text.ts';

const text = (value: string, styles = {}) => ({ type: 'text', text: value, styles });
const paragraph = (...children: unknown[]) => ({ type: 'paragraph', children });
const plain = (value: string) => paragraph(text(value));

function textOf(nodes: RichNode[]): string {
  return nodes
    .map((node) => {
      if (node.type === 'list') return node.items.map(textOf).join('\n');
      if (node.type === 'quote') return textOf(node.children);
      if (node.type === 'preformatted') return node.text;
      return node.children.map((child) => (child.type === 'text' ? child.text : '\n')).join('');
    })
    .join('\n');
}

function depthOf(nodes: RichNode[]): number {
  const below = nodes.flatMap((node) => {
    if (node.type === 'list') return node.items.map(depthOf);
    return node.type === 'quote' ? [depthOf(node.children)] : [];
  });
  return 1 + Math.max(0, ...below);
}

describe('parseHtml', () => {
  it('collapses white space and decodes entities as browsers do', () => {
    expect(
      parseHtml('<p>\n  Tom &amp;\n  Jerry&nbsp;&copy; <!-- no -->2026 </p>\n<p> </p>'),
    ).toEqual([plain('Tom & Jerry © 2026')]);
  });

  it('keeps line breaks and spaces of text without tags', () => {
    expect(parseHtml('one\r\n  two &amp; 1 < 2\n\nthree')).toEqual([
      paragraph(
        text('one'),
        { type: 'break' },
        text('  two & 1 < 2'),
        { type: 'break' },
        { type: 'break' },
        text('three'),
      ),
    ]);
  });

  it('reads a less-than sign as text if it can’t start a tag', () => {
    expect(parseHtml('width <height & <b')).toEqual([plain('width <height & <b')]);
  });

  it('reads styles from tags and style attributes, and sorts out overlapping tags', () => {
    expect(parseHtml('<b>one<i>two</b>three</i><s>4</s><u>5</u><code>6</code>')).toEqual([
      paragraph(
        text('one', { bold: true }),
        text('two', { bold: true, italic: true }),
        text('three', { italic: true }),
        text('4', { strike: true }),
        text('5', { underline: true }),
        text('6', { code: true }),
      ),
    ]);
    expect(
      parseHtml(
        '<b style="font-weight:normal">pasted <span style="font-weight: 700">bold</span></b> end',
      ),
    ).toEqual([paragraph(text('pasted '), text('bold', { bold: true }), text(' end'))]);
  });

  it('nests lists, with their numbers, however they are closed', () => {
    const nested = [
      {
        type: 'list',
        ordered: true,
        start: 4,
        items: [
          [
            plain('a'),
            { type: 'list', ordered: false, start: 1, items: [[plain('b')], [plain('c')]] },
          ],
          [plain('d'), plain('e')],
        ],
      },
      plain('after'),
    ];
    expect(
      parseHtml(
        '<ol start="4"><li>a<ul><li>b</li><li>c</li></ul></li><li><p>d</p><p>e</p></li></ol>after',
      ),
    ).toEqual(nested);
    expect(parseHtml('<ol start=4><li>a<ul><li>b<li>c</ul><li>d<p>e</ol>after')).toEqual(nested);
    expect(
      parseHtml('<ol start=4><li>a</li><ul><li>b<li>c</ul><li>d<div>e</div></ol>after'),
    ).toEqual(nested);
  });

  it('reads headings, quotes, preformatted text, and line breaks', () => {
    expect(
      parseHtml(
        '<h2>Size</h2><blockquote>a<br>b<br></blockquote><pre>\n x\n  y\n</pre><p><br></p>',
      ),
    ).toEqual([
      paragraph(text('Size', { bold: true })),
      { type: 'quote', children: [paragraph(text('a'), { type: 'break' }, text('b'))] },
      { type: 'preformatted', text: ' x\n  y' },
      paragraph(),
    ]);
  });

  it('reads a table as one line per row', () => {
    const rows =
      '<tr><th>Size</th><th>Use</th></tr><tr><td><p>300x200</p></td><td><b>web</b></td></tr>';
    expect(textOf(parseHtml(`<table><tbody>${rows}</tbody></table>end`))).toBe(
      'Size | Use\n300x200 | web\nend',
    );
    expect(
      textOf(
        parseHtml('<table><tr><td>a<ul><li>b<li>c</ul><td>d<table><tr><td>e</table><td>f</table>'),
      ),
    ).toBe('a\n• b\n• c | d\ne | f');
  });

  it('keeps the styles of a cell inside that cell, and handles missing cells', () => {
    expect(parseHtml('<table><tr><td><b>a<td>b</table>c')).toEqual([
      paragraph(text('a', { bold: true }), text(' | '), text('b')),
      plain('c'),
    ]);
    expect(textOf(parseHtml('<table><tr><td>a<td><td>c<tr><td><td>b<td><tr><td></table>'))).toBe(
      'a |  | c\n | b',
    );
  });

  it('keeps links with safe schemes, and images with a description or URL', () => {
    expect(
      parseHtml(
        '<a href="https://example.com/?a=1&amp;b=2">x</a><a href="javascript:x">y</a><img src="https://example.com/i.png"><img alt=" the\nlogo " src="data:x"><img src=x>',
      ),
    ).toEqual([
      paragraph(
        { ...text('x'), href: 'https://example.com/?a=1&b=2' },
        text('y'),
        { ...text('image'), href: 'https://example.com/i.png' },
        text('the logo'),
      ),
    ]);
  });

  it.each([
    '<script>a</script>',
    '<script>"<p>a</p>"</script>',
    '<style>a</style>',
    '<template>a<template>b</template>c</template>',
    '<noscript>a</noscript>',
    '<head><title>a</title>',
    '<title>a</title>',
    '<svg><title/><text>a</text></svg>',
    '<svg><style><![CDATA[</svg>]]></style></svg>',
    '<iframe><p>a</p></iframe>',
    '<!-- a --><!doctype html>',
  ])('drops %s with its content', (html) => {
    expect(parseHtml(`${html}<p>kept</p>`)).toEqual([plain('kept')]);
  });

  it('reads the content of unknown tags', () => {
    expect(parseHtml('<x-card>a <blink>b</blink></x-card>')).toEqual([plain('a b')]);
  });

  it('removes characters that don’t belong in text, even as entities', () => {
    expect(parseHtml('<p>a&#8238;b\u202ec\0d&#7;e\ud800</p>')).toEqual([plain('abcde\ufffd')]);
  });

  it.each([
    '<ul><li>',
    '<blockquote>',
    '<div>',
    '<b>',
    '<table><tr><td>',
    '<h1><pre>',
    '<a href=x>',
  ])('reads text inside %s, repeated a thousand times, and nests it at most 100 deep', (open) => {
    const tree = parseHtml(`${open.repeat(1_000)}text`);
    expect(textOf(tree).trim()).toContain('text');
    expect(depthOf(tree)).toBeLessThanOrEqual(101);
  });

  it('reads no further than its limits', () => {
    expect(textOf(parseHtml(`<p>${'x'.repeat(HTML_MAX)}</p>`))).toHaveLength(HTML_MAX - 3);
    const afterTags = (tags: number) => textOf(parseHtml(`${'<br>'.repeat(tags)}text`)).trim();
    // Beside html, head, and body.
    expect(afterTags(ELEMENTS_MAX - 3)).toBe('text');
    expect(afterTags(ELEMENTS_MAX - 2)).toBe('');
  });

  it('stops in HTML of which a browser would build a hundred times as many elements as it has tags', () => {
    const open = Array.from({ length: 1_000 }, (_, id) => `<b id=${id}>`).join('');
    expect(textOf(parseHtml(`<p>${open}${'<p>x'.repeat(1_000)}`)).match(/x/g)).toHaveLength(3);
  });

  it('reads what follows a pasted image, however long that is', () => {
    const image = `<img src="data:image/png;base64,${'A'.repeat(5 * HTML_MAX)}" alt="a logo">`;
    expect(parseHtml(`<p>${image} for the shop</p>`)).toEqual([
      paragraph(text('a logo for the shop')),
    ]);
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
        const read = textOf(parseHtml(html)).match(/[a-z]+/g) ?? [];
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
        const read = textOf(parseHtml(html));
        expect(read.isWellFormed()).toBe(true);
        expect(read).not.toMatch(/(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u);
      }),
      { numRuns: propertyRuns(500) },
    );
  });
});
