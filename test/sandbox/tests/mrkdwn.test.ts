import { globSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostileText } from '../../slack/text/hostile-text.ts';
import { type MrkdwnNode, parseMrkdwn } from '../pages/browser/text/mrkdwn.ts';
import { linkified } from '../pages/browser/workspace/linkified.ts';

const nodesOf = (mrkdwn: string): MrkdwnNode[] =>
  parseMrkdwn(mrkdwn).flatMap((block) => ('lines' in block ? block.lines.flat() : []));

const kindsIn = (nodes: MrkdwnNode[]): string[] =>
  nodes.flatMap((node) => ['children' in node ? kindsIn(node.children) : [], node.kind].flat());

const text = (words: string): MrkdwnNode => ({ kind: 'text', text: words });

describe('mrkdwn in the pages', () => {
  it.each<[string, MrkdwnNode[]]>([
    [
      '*bold* and _thin_',
      [
        { kind: 'bold', children: [text('bold')] },
        text(' and '),
        { kind: 'italic', children: [text('thin')] },
      ],
    ],
    ['snake_case_name 5 * 3 * 2', [text('snake_case_name 5 * 3 * 2')]],
    [
      '*a _b_*',
      [{ kind: 'bold', children: [text('a '), { kind: 'italic', children: [text('b')] }] }],
    ],
    ['`*not bold*`', [{ kind: 'code', text: '*not bold*' }]],
    ['a *b', [text('a *b')]],
    ['&lt;b&gt; &amp;amp;', [text('<b> &amp;')]],
    [
      '<https://a.example/?a=1&amp;b=2|the *guide*>',
      [{ kind: 'link', url: 'https://a.example/?a=1&b=2', label: 'the *guide*' }],
    ],
    [
      '<@U1> in <#C1|general>',
      [
        { kind: 'user', id: 'U1', label: undefined },
        text(' in '),
        { kind: 'channel', id: 'C1', label: 'general' },
      ],
    ],
    ['<!channel>', [{ kind: 'broadcast', name: 'channel' }]],
    [
      '<!date^1790000000^{date_short} {time}|then>',
      [{ kind: 'date', seconds: 1_790_000_000, format: '{date_short} {time}', fallback: 'then' }],
    ],
    [':art: at 00:01:30', [{ kind: 'emoji', name: 'art' }, text(' at 00:01:30')]],
    [
      '*<https://a.example|x>*',
      [{ kind: 'bold', children: [{ kind: 'link', url: 'https://a.example', label: 'x' }] }],
    ],
  ])('shows %s as Slack does', (mrkdwn, expected) => {
    expect(nodesOf(mrkdwn)).toEqual(expected);
  });

  it('shows quotes and code as blocks', () => {
    expect(parseMrkdwn('a\n&gt; b\n> c\n```\n*d*\n```\ne')).toEqual([
      { kind: 'lines', lines: [[text('a')]] },
      { kind: 'quote', lines: [[text('b')], [text('c')]] },
      { kind: 'preformatted', text: '*d*' },
      { kind: 'lines', lines: [[text('e')]] },
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
        const links = nodesOf(linkified(`<!channel> ${typed}`));
        expect(kindsIn(links)).not.toContain('broadcast');
      }),
    );
    expect(nodesOf(linkified('See https://a.example/x, <b>'))).toEqual([
      text('See '),
      { kind: 'link', url: 'https://a.example/x', label: 'https://a.example/x' },
      text(', <b>'),
    ]);
    expect(nodesOf(linkified('See `https://a.example/x` or https://a.example/y'))).toEqual([
      text('See '),
      { kind: 'code', text: 'https://a.example/x' },
      text(' or '),
      { kind: 'link', url: 'https://a.example/y', label: 'https://a.example/y' },
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
