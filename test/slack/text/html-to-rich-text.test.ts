import type { RichTextBlock } from '@slack/types';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mentionsIn } from '../../../src/sandbox/slack/block-kit/mentions.ts';
import { validateBlocks } from '../../../src/sandbox/slack/block-kit/validate.ts';
import { htmlToRichText } from '../../../src/slack/text/html-to-rich-text.ts';
import { richTextIsBlank, richTextToPlainText } from '../../../src/slack/text/rich-text-to-html.ts';
import { anyHtml } from './hostile-text.ts';

const section = (text: string, style?: object) => ({
  type: 'rich_text_section',
  elements: [{ type: 'text', text, ...(style ? { style } : {}) }],
});

const inForm = (block: RichTextBlock) => [
  {
    type: 'input',
    block_id: 'description',
    label: { type: 'plain_text', text: 'Description' },
    element: { type: 'rich_text_input', action_id: 'value', initial_value: block },
  },
];

function problemsOf(block: RichTextBlock) {
  return [...validateBlocks([block], 'message'), ...validateBlocks(inForm(block), 'modal')];
}

describe('htmlToRichText', () => {
  it('makes a section of each paragraph, and keeps blank lines', () => {
    expect(htmlToRichText('<h1>Title</h1><p>a<br>b</p><p><br></p><p>c</p>')?.elements).toEqual([
      section('Title', { bold: true }),
      section('a\nb'),
      section('\n'),
      section('c'),
    ]);
  });

  it('nests lists by indentation, and counts on after a deeper one', () => {
    const html = '<ol start="3"><li>a<ul><li>b</li></ul></li><li></li><li>c</li></ol>';
    expect(htmlToRichText(html)?.elements).toEqual([
      { type: 'rich_text_list', style: 'ordered', indent: 0, offset: 2, elements: [section('a')] },
      { type: 'rich_text_list', style: 'bullet', indent: 1, elements: [section('b')] },
      { type: 'rich_text_list', style: 'ordered', indent: 0, offset: 4, elements: [section('c')] },
    ]);
  });

  it('draws the line of a quote beside text, lists and preformatted text', () => {
    const html = '<blockquote>a<p>b</p><ul><li>c</li></ul><pre>d</pre></blockquote>';
    expect(htmlToRichText(html)?.elements).toEqual([
      { type: 'rich_text_quote', elements: [{ type: 'text', text: 'a\nb' }] },
      { type: 'rich_text_list', style: 'bullet', indent: 0, border: 1, elements: [section('c')] },
      { type: 'rich_text_preformatted', border: 1, elements: [{ type: 'text', text: 'd' }] },
    ]);
  });

  it('keeps the text of what a list item cannot hold', () => {
    const html = '<ul><li>a<blockquote>b<ol><li>c</ol></blockquote><pre>d</pre></li></ul>';
    expect(richTextToPlainText(htmlToRichText(html) ?? { type: 'rich_text', elements: [] })).toBe(
      '• a\n    b\n    1. c\n    d',
    );
  });

  it('links only what may be clicked, under a label that is honest as a whole', () => {
    const link = (html: string) => htmlToRichText(html)?.elements[0]?.elements;
    expect(link('<a href="https://example.com">a<b>b</b></a>')).toEqual([
      { type: 'link', url: 'https://example.com/', text: 'a' },
      { type: 'link', url: 'https://example.com/', text: 'b', style: { bold: true } },
    ]);
    expect(link('<a href="https://evil.example">good<b>.example</b></a>')).toEqual([
      { type: 'link', url: 'https://evil.example/', text: 'good.example (evil.example)' },
    ]);
    expect(link('x<a href="https://example.com">&nbsp;</a>y')).toEqual([
      { type: 'text', text: 'x y' },
    ]);
    expect(link('<a href="javascript:alert(1)">a</a>')).toEqual([{ type: 'text', text: 'a' }]);
    expect(link('<img src="https://example.com/i.png">')).toEqual([
      { type: 'link', url: 'https://example.com/i.png', text: 'image' },
    ]);
  });

  it('is undefined where there is nothing to read', () => {
    for (const html of [
      '',
      '<p><br></p>',
      '<ul><li></li></ul>',
      '<p>&nbsp;\u200b</p>',
      '<pre> </pre>',
    ]) {
      expect(htmlToRichText(html)).toBeUndefined();
    }
  });

  it.each([
    ['one long text', '<p>日本語 '.repeat(60_000)],
    ['one long word', '文'.repeat(300_000)],
    ['very many elements', '<b>x</b>y'.repeat(50_000)],
    ['very many items', `<ul>${'<li>x'.repeat(50_000)}`],
    ['very many blank lines', `${'<p><br></p>'.repeat(20_000)}text`],
    ['lists in lists', '<ul><li>x'.repeat(50_000)],
    ['many links', '<a href=https://example.com/>x</a> '.repeat(14_000)],
    ['one link', `<a href=https://example.com/>${'x'.repeat(200_000)}`],
    ['pieces of one link', `<a href=https://example.com/>${'x<b>y</b>'.repeat(50_000)}`],
    ['a quote in an item', `<li><ul><li><blockquote>${'x<b>y</b>'.repeat(50_000)}`],
  ])('fits %s into what Slack takes, and says that there was more', (_, html) => {
    const block = htmlToRichText(html);
    if (!block) throw new Error('nothing to read');
    expect(problemsOf(block)).toEqual([]);
    expect(Buffer.byteLength(JSON.stringify(block))).toBeLessThan(101_000);
    expect(richTextToPlainText(block)).toMatch(/…$/);
  });

  it('is valid Block Kit that mentions nobody, whatever the HTML', () => {
    fc.assert(
      fc.property(anyHtml, (html) => {
        const block = htmlToRichText(html);
        if (!block) return;
        expect(problemsOf(block)).toEqual([]);
        expect(richTextIsBlank(block)).toBe(false);
        const found = mentionsIn([block]).filter(
          (mention) => !/^link:(?:https?|mailto):/.test(mention),
        );
        expect(found).toEqual([]);
        expect(JSON.stringify(block)).not.toMatch(/"text":""|"elements":\[\]/);
      }),
      { numRuns: 500 },
    );
  });
});
