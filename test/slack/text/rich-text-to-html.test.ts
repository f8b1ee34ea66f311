import type { RichTextBlock, RichTextElement } from '@slack/types';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linesOf } from '../../../src/slack/text/html-lines.ts';
import { parseHtml } from '../../../src/slack/text/html-tree.ts';
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
  usergroup: (id) => (id === 'S1' ? 'marketing' : undefined),
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
const html = (...elements: Part[]) => richTextToHtml(richText(...elements), NAMES);

describe('richTextToHtml', () => {
  it('makes a paragraph of a section, with its line feeds and spaces', () => {
    expect(html(typed('one\ntwo\n\nthree  four'), typed('\n'), typed('a\n'))).toBe(
      '<p>one<br>two<br><br>three &nbsp;four</p><p><br></p><p>a</p>',
    );
  });

  it('keeps styles and escapes text', () => {
    const style = { bold: true, italic: true, strike: true, underline: true, code: true };
    expect(
      html(section({ type: 'text', text: '<b>&"\'', style }, { type: 'text', text: ' x' })),
    ).toBe(
      '<p><strong><em><s><u><code>&lt;b&gt;&amp;&quot;&#39;</code></u></s></em></strong> x</p>',
    );
  });

  it('links only http, https, and mailto', () => {
    expect(
      html(
        section(
          { type: 'link', url: 'https://example.com/?a="1"&b', text: 'shop' },
          { type: 'link', url: 'mailto:a@b.example' },
          { type: 'link', url: 'javascript:alert(1)', text: 'no' },
        ),
      ),
    ).toBe(
      '<p><a href="https://example.com/?a=%221%22&amp;b">shop</a><a href="mailto:a@b.example">mailto:a@b.example</a>no</p>',
    );
  });

  it('names people, channels, and groups, or shows their IDs', () => {
    expect(
      html(
        section(
          { type: 'user', user_id: 'U1' },
          { type: 'user', user_id: 'U2' },
          { type: 'channel', channel_id: 'C1' },
          { type: 'channel', channel_id: 'C2' },
          { type: 'usergroup', usergroup_id: 'S1' },
          { type: 'usergroup', usergroup_id: 'S2' },
          { type: 'team', team_id: 'T1' },
          { type: 'broadcast', range: 'channel' },
        ),
      ),
    ).toBe('<p>@Ann &lt;Lee&gt;@U2#design#C2@marketing@S2@T1@channel</p>');
  });

  it('shows emoji, dates, colors, and unknown elements', () => {
    const unknown = JSON.parse('{"type":"hologram","text":"new"}');
    const silent = JSON.parse('{"type":"hologram"}');
    expect(
      html(
        section(
          { type: 'emoji', name: 'thumbsup', unicode: '1f44d-1f3fb' },
          { type: 'emoji', name: 'acme' },
          { type: 'emoji', name: 'odd', unicode: 'fffffff' },
          { type: 'date', timestamp: 1_790_000_000, format: '{date_num} {time}', fallback: 'soon' },
          {
            type: 'date',
            timestamp: 1_790_000_000,
            format: ' {date_num} at {time}, {date_long}{x}',
          },
          { type: 'date', timestamp: Number.MAX_VALUE, format: '{date}' },
          { type: 'color', value: '#ff0000' },
          unknown,
          silent,
        ),
      ),
    ).toBe(
      '<p>👍🏻:acme::odd:soon 2026-09-21 at 14:13 UTC, Monday, September 21, 2026{x}#ff0000new</p>',
    );
  });

  it('nests lists by indentation', () => {
    expect(html(list(0, 'a'), list(1, 'b', 'c'), list(0, 'd'), typed('e'))).toBe(
      '<ul><li>a<ul><li>b</li><li>c</li></ul></li><li>d</li></ul><p>e</p>',
    );
    expect(html(list(2, 'a'), list(4, 'b'), list(1, 'c'))).toBe(
      '<ul><li>a<ul><li>b</li></ul></li></ul><ul><li>c</li></ul>',
    );
  });

  it('numbers lists as Slack does', () => {
    const ordered = (offset: number, indent: number, ...texts: string[]): Part => {
      const part = { ...list(indent, ...texts), style: 'ordered' as const, offset };
      return part;
    };
    expect(html(ordered(2, 0, 'c'), list(1, 'x'), ordered(3, 0, 'd'), ordered(0, 0, 'a'))).toBe(
      '<ol start="3"><li>c<ul><li>x</li></ul></li><li>d</li></ol><ol><li>a</li></ol>',
    );
  });

  it('converts quotes and preformatted text', () => {
    expect(
      html(
        { type: 'rich_text_quote', elements: [{ type: 'text', text: 'a\nb' }] },
        { ...list(0, 'c'), border: 1 },
        { type: 'rich_text_preformatted', elements: [{ type: 'text', text: '\n  <x>\n y' }] },
      ),
    ).toBe(
      '<blockquote>a<br>b</blockquote><blockquote><ul><li>c</li></ul></blockquote><pre>\n\n  &lt;x&gt;\n y</pre>',
    );
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
  it('lists each ID once, wherever it appears', () => {
    const mentions = section(
      { type: 'user', user_id: 'U2' },
      { type: 'channel', channel_id: 'C1' },
      { type: 'usergroup', usergroup_id: 'S1' },
      { type: 'user', user_id: 'U1' },
    );
    const block = richText(
      mentions,
      { ...list(0), elements: [mentions, section({ type: 'user', user_id: 'U3' })] },
      { type: 'rich_text_quote', elements: [{ type: 'user', user_id: 'U2' }] },
    );
    expect(mentionsIn(block)).toEqual({
      users: ['U2', 'U1', 'U3'],
      channels: ['C1'],
      usergroups: ['S1'],
    });
  });
});

/** The text of HTML, without styles. */
const textOfHtml = (source: string) =>
  [...linesOf(parseHtml(source))]
    .map((line) => ('fenced' in line ? line.fenced : line.spans.map(({ text }) => text).join('')))
    .join('\n');

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
        const back = textOfHtml(richTextToHtml(block, NAMES));
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

// HTML shows no spaces at the end of a line, no tabs, and no-break spaces as spaces.
function asBrowsersShow(text: string): string {
  return text.replace(/\t/g, '    ').replaceAll('\u00a0', ' ').replace(/ +$/gm, '');
}
