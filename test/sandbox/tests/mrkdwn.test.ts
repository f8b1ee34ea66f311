import { globSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostileText } from '../../slack/text/hostile-text.ts';
import { type JsonObject, objectsOf } from '../../stand-ins/slack/json.ts';
import { parseMrkdwn } from '../pages/browser/text/mrkdwn.ts';
import { linkified } from '../pages/browser/workspace/linkified.ts';

const nodesOf = (mrkdwn: string) =>
  parseMrkdwn(mrkdwn).flatMap(({ elements }) => objectsOf(elements));

const text = (words: string, ...styles: string[]) => ({
  type: 'text',
  text: words,
  style: Object.fromEntries(styles.map((style) => [style, true])),
});
const link = (url: string, label: string, style = {}) => ({
  type: 'link',
  url,
  text: label,
  style,
});
const NEW_LINE = { type: 'text', text: '\n' };

describe('mrkdwn in the pages', () => {
  it.each<[string, JsonObject[]]>([
    ['*bold* and _thin_', [text('bold', 'bold'), text(' and '), text('thin', 'italic')]],
    ['snake_case_name 5 * 3 * 2', [text('snake_case_name 5 * 3 * 2')]],
    ['*a _b_*', [text('a ', 'bold'), text('b', 'bold', 'italic')]],
    ['`*not bold*`', [text('*not bold*', 'code')]],
    ['a *b', [text('a *b')]],
    ['&lt;b&gt; &amp;amp;', [text('<b> &amp;')]],
    [
      '<https://a.example/?a=1&amp;b=2|the *guide*>',
      [link('https://a.example/?a=1&b=2', 'the *guide*')],
    ],
    [
      '<@U1> in <#C1>',
      [
        { type: 'user', user_id: 'U1', style: {} },
        text(' in '),
        { type: 'channel', channel_id: 'C1', style: {} },
      ],
    ],
    ['<!channel>', [{ type: 'broadcast', range: 'channel', style: {} }]],
    [
      '<!date^1790000000^{date_short} {time}|then>',
      [
        {
          type: 'date',
          timestamp: 1_790_000_000,
          format: '{date_short} {time}',
          fallback: 'then',
          style: {},
        },
      ],
    ],
    [':art: at 00:01:30', [{ type: 'emoji', name: 'art' }, text(' at 00:01:30')]],
    ['*<https://a.example|x*y>*', [link('https://a.example', 'x*y', { bold: true })]],
  ])('shows %s as Slack does', (mrkdwn, expected) => {
    expect(nodesOf(mrkdwn)).toEqual(expected);
  });

  it('shows quotes and code as blocks', () => {
    expect(parseMrkdwn('a\n&gt; b\n> c\n```\n*d*\n```\ne')).toEqual([
      { type: 'rich_text_section', elements: [text('a')] },
      { type: 'rich_text_quote', elements: [text('b'), NEW_LINE, text('c')] },
      { type: 'rich_text_preformatted', elements: [{ type: 'text', text: '*d*' }] },
      { type: 'rich_text_section', elements: [text('e')] },
    ]);
  });

  it('never throws and always ends, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), hostileText, (any, hostile) => {
        expect(Array.isArray(parseMrkdwn(any + hostile + any))).toBe(true);
      }),
    );
  });

  it('shows what a person typed unchanged, with URLs as links', () => {
    fc.assert(
      fc.property(fc.string(), (typed) => {
        const types = nodesOf(linkified(`<!channel> ${typed}`)).map(({ type }) => type);
        expect(types).not.toContain('broadcast');
      }),
    );
    const bare = (url: string) => link(url, '');
    expect(nodesOf(linkified('See https://a.example/x, <b>'))).toEqual([
      text('See '),
      bare('https://a.example/x'),
      text(', <b>'),
    ]);
    expect(nodesOf(linkified('See `https://a.example/x` or https://a.example/y'))).toEqual([
      text('See '),
      text('https://a.example/x', 'code'),
      text(' or '),
      bare('https://a.example/y'),
    ]);
  });
});

const SRC = new URL('../../../src/', import.meta.url);
const DRAWN = new URL('../pages/browser/text/emoji.tsx', import.meta.url);
/** What looks like an emoji in a comment, a pattern, the format of a time, or the name of an event. */
const NO_EMOJI = new Set(['name', 'client', 'mm']);

it('every emoji that the app uses is drawn in the pages', () => {
  const names = globSync('slack/**/*.ts', { cwd: SRC }).flatMap((file) => {
    const words = readFileSync(new URL(file, SRC), 'utf8').matchAll(/:([a-z]+(?:_[a-z]+)*):/g);
    return [...words].map(([, name = '']) => name).filter((name) => !NO_EMOJI.has(name));
  });
  expect(new Set(names).size).toBeGreaterThan(8);
  const drawn = readFileSync(DRAWN, 'utf8');
  expect(names.filter((name) => !drawn.includes(`  ${name}: `))).toEqual([]);
});
