import type { RichTextBlock, RichTextElement } from '@slack/types';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { htmlToText } from '../../../src/slack/text/html-lines.ts';
import {
  mentionsIn,
  type Names,
  plainTextToRichText,
  richTextIsBlank,
  richTextToHtml,
} from '../../../src/slack/text/rich-text-to-html.ts';
import { validateBlocks } from '../../stand-ins/slack/block-kit/validate.ts';
import { hostileText } from './hostile-text.ts';

type Part = RichTextBlock['elements'][number];

const NAMES: Names = {
  user: (id) => (id === 'U1' ? 'Ann <Lee>' : undefined),
  channel: (id) => (id === 'C1' ? 'design' : undefined),
};
const richText = (...elements: Part[]): RichTextBlock => ({ type: 'rich_text', elements });
const section = (...elements: RichTextElement[]) => ({
  type: 'rich_text_section' as const,
  elements,
});
const typed = (text: string) => section({ type: 'text', text });
const list = (indent: number, ...texts: string[]) => ({
  type: 'rich_text_list' as const,
  style: 'bullet' as const,
  indent,
  elements: texts.map(typed),
});
const ordered = (offset: number, ...texts: string[]): Part => {
  const part = { ...list(0, ...texts), style: 'ordered' as const, offset };
  return part;
};
const ALL = { bold: true, italic: true, strike: true, underline: true, code: true };
const ofTheFuture = (more: object) => JSON.parse(JSON.stringify({ type: 'hologram', ...more }));

describe('richTextToHtml', () => {
  it.each<[what: string, parts: Part[], html: string]>([
    [
      'a paragraph of a section, with its line feeds',
      [typed('one\ntwo\n\nthree'), typed('\n'), typed('a\n')],
      '<p>one<br>two<br><br>three</p><p><br></p><p>a<br></p>',
    ],
    [
      'styles of styles, and escapes text',
      [section({ type: 'text', text: '<b>&"\'', style: ALL }, { type: 'text', text: ' x' })],
      '<p><strong><em><s><u><code>&lt;b&gt;&amp;&quot;&#39;</code></u></s></em></strong> x</p>',
    ],
    [
      'links of http, https, and mailto only',
      [
        section(
          { type: 'link', url: 'https://example.com/?a="1"&b', text: 'shop' },
          { type: 'link', url: 'mailto:a@b.example' },
          { type: 'link', url: 'javascript:alert(1)', text: 'no' },
        ),
      ],
      '<p><a href="https://example.com/?a=%221%22&amp;b">shop</a><a href="mailto:a@b.example">mailto:a@b.example</a>no</p>',
    ],
    [
      'names of people, channels, and groups, or else their IDs',
      [
        section(
          { type: 'user', user_id: 'U1' },
          { type: 'user', user_id: 'U2' },
          { type: 'channel', channel_id: 'C1' },
          { type: 'channel', channel_id: 'C2' },
          { type: 'usergroup', usergroup_id: 'S2' },
          { type: 'team', team_id: 'T1' },
          { type: 'broadcast', range: 'channel' },
        ),
      ],
      '<p>@Ann &lt;Lee&gt;@U2#design#C2@S2@T1@channel</p>',
    ],
    [
      'text of emoji, dates, colors, and unknown elements',
      [
        section(
          { type: 'emoji', name: 'thumbsup', unicode: '1f44d-1f3fb' },
          { type: 'emoji', name: 'acme' },
          { type: 'emoji', name: 'odd', unicode: 'fffffff' },
          { type: 'date', timestamp: 1_790_000_000, format: '{date_num} {time}', fallback: 'soon' },
          { type: 'text', text: ' ' },
          { type: 'date', timestamp: 1_790_000_000, format: '{date_num}' },
          { type: 'date', timestamp: Number.MAX_VALUE, format: '{date}' },
          { type: 'color', value: '#ff0000' },
          ofTheFuture({ text: 'new' }),
          ofTheFuture({}),
        ),
      ],
      '<p>👍🏻:acme::odd:soon 2026-09-21 14:13 UTC#ff0000new</p>',
    ],
    [
      'nested lists of indented ones',
      [list(0, 'a'), list(1, 'b', 'c'), list(0, 'd'), typed('e')],
      '<ul><li>a<ul><li>b</li><li>c</li></ul></li><li>d</li></ul><p>e</p>',
    ],
    [
      'nested lists of lists that begin or end indented',
      [list(2, 'a'), list(4, 'b'), list(1, 'c')],
      '<ul><li>a<ul><li>b</li></ul></li></ul><ul><li>c</li></ul>',
    ],
    [
      'the numbers that Slack shows',
      [ordered(2, 'c'), list(1, 'x'), ordered(3, 'd'), typed('e'), ordered(0, 'a')],
      '<ol start="3"><li>c<ul><li>x</li></ul></li><li>d</li></ol><p>e</p><ol><li>a</li></ol>',
    ],
    [
      'quotes and preformatted text',
      [
        { type: 'rich_text_quote', elements: [{ type: 'text', text: 'a\nb' }] },
        { type: 'rich_text_preformatted', elements: [{ type: 'text', text: '  <x>\n y' }] },
      ],
      '<blockquote>a<br>b</blockquote><pre>  &lt;x&gt;\n y</pre>',
    ],
  ])('makes %s', (_what, parts, html) => {
    expect(richTextToHtml(richText(...parts), NAMES)).toBe(html);
  });

  it('is empty if nothing was typed', () => {
    for (const block of [richText(), richText(section()), richText(typed(' \n\u200b'), list(0))]) {
      expect(richTextToHtml(block, NAMES)).toBe('');
      expect(richTextIsBlank(block)).toBe(true);
    }
    expect(richTextIsBlank(richText(section({ type: 'user', user_id: 'U1' })))).toBe(false);
  });
});

describe('mentionsIn', () => {
  it('lists the IDs of people and channels, wherever they appear', () => {
    const mentions = section(
      { type: 'user', user_id: 'U2' },
      { type: 'channel', channel_id: 'C1' },
    );
    const block = richText(
      mentions,
      { ...list(0), elements: [section({ type: 'user', user_id: 'U3' })] },
      { type: 'rich_text_quote', elements: [{ type: 'user', user_id: 'U1' }] },
    );
    expect(mentionsIn(block)).toEqual({ users: ['U2', 'U3', 'U1'], channels: ['C1'] });
  });
});

/** The text of a block's only section. */
const typedIn = ({ elements: [part] }: RichTextBlock) =>
  part?.type === 'rich_text_section'
    ? part.elements.map((element) => (element.type === 'text' ? element.text : '?')).join('')
    : '?';

describe('plainTextToRichText', () => {
  it('is valid and returns the same text, for any text', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const block = plainTextToRichText(text);
        expect(validateBlocks([block], 'message')).toEqual([]);
        // What was written once comes back unchanged.
        const shown = typedIn(block);
        expect(typedIn(plainTextToRichText(shown))).toBe(shown);
        const back = htmlToText(richTextToHtml(block, NAMES));
        const expected = richTextIsBlank(block) ? '' : shown;
        expect(asBrowsersShow(back)).toBe(asBrowsersShow(expected));
      }),
    );
  });

  it('accepts text of any length', () => {
    const block = plainTextToRichText('word '.repeat(100_000));
    expect(validateBlocks([block], 'message')).toEqual([]);
    expect(Buffer.byteLength(JSON.stringify(block))).toBeLessThan(101_000);
  });
});

// HTML shows one space for several, and none at the ends of a line.
function asBrowsersShow(text: string): string {
  return text
    .trim()
    .replace(/[ \t\u00a0]+/g, ' ')
    .replace(/^ | $/gm, '')
    .replace(/\n{2,}/g, '\n\n');
}
