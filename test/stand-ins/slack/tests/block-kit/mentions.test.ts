import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyCharacter } from '../../../../any-text.ts';
import { mentionsIn } from '../../block-kit/mentions.ts';
import { EVERYWHERE, modalWith, plain, richText } from './examples.ts';

const mrkdwn = (text: string, verbatim?: boolean) => [
  { type: 'section', text: { type: 'mrkdwn', text, verbatim } },
];

describe('mentions in mrkdwn', () => {
  test.each([
    ['<!channel>', ['<!channel>']],
    ['<!here|here> and <!everyone>', ['<!here>', '<!everyone>']],
    ['<!subteam^S123|@design>', ['<!subteam^S123>']],
    ['<@U123|ana>, <@W123>', ['<@U123>', '<@W123>']],
    ['<#C123|design>', ['<#C123>']],
    ['<https://example.com|example>', ['link:https://example.com|example']],
    ['<https://example.com>', ['link:https://example.com']],
    ['<mailto:ana@example.com|ana>', ['link:mailto:ana@example.com|ana']],
    ['<example.com|no scheme>', ['link:example.com|no scheme']],
    ['<<!channel>', ['<!channel>']],
    ['`<!channel>`', ['<!channel>']],
    ['<!date^1790000000^{date}^https://example.com|soon>', ['link:https://example.com|soon']],
    ['<!date^1790000000^{date}|soon>', []],
    ['&lt;!channel&gt; &lt;@U123&gt;', []],
    ['< > <> a < b', []],
  ])('%s', (text, found) => {
    expect(mentionsIn(mrkdwn(text, true))).toEqual(found);
  });

  test.each([
    ['hey @channel!', ['@channel']],
    ['@here @Everyone', ['@here', '@everyone']],
    ['see #design-requests', ['#design-requests']],
    ['see https://example.com/a.', ['link:https://example.com/a.']],
    ['www.example.com', ['link:www.example.com']],
    ['ana@here.example @ana &#39; a#b example.com @channels', []],
  ])('plain words count unless the text is verbatim: %s', (text, found) => {
    expect(mentionsIn(mrkdwn(text))).toEqual(found);
    expect(mentionsIn(mrkdwn(text, false))).toEqual(found);
    expect(mentionsIn(mrkdwn(text, true))).toEqual([]);
  });

  test('a URL inside a link is one link', () => {
    expect(mentionsIn(mrkdwn('<https://a.example|https://b.example>'))).toEqual([
      'link:https://a.example|https://b.example',
    ]);
  });
});

describe('mentions elsewhere', () => {
  test('plain text has none', () => {
    expect(mentionsIn([{ type: 'header', text: plain('<!channel> @channel <a|b>') }])).toEqual([]);
  });

  test('rich text has those of its elements', () => {
    expect(mentionsIn([richText])).toEqual([
      'link:https://example.com/brief|the brief',
      '<@U0ANA>',
      '<!subteam^S0DESIGN>',
      '<#C0DESIGN>',
      '<!here>',
    ]);
  });

  test('the text of rich text is never parsed', () => {
    const elements = [{ type: 'text', text: '<!channel> @channel <https://a.example|b>' }];
    const block = { type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] };
    expect(mentionsIn([block])).toEqual([]);
  });

  test('a message’s text has control sequences and URLs, but no bare names', () => {
    expect(mentionsIn('<!here> @channel #design https://example.com')).toEqual([
      '<!here>',
      'link:https://example.com',
    ]);
    expect(mentionsIn({ channel: 'C1', text: '<!here> @channel', blocks: [] })).toEqual([
      '<!here>',
    ]);
  });

  test('legacy attachments have those of their texts and links', () => {
    const attachment = {
      title: 'Card',
      title_link: 'https://example.com/card',
      text: '<!channel>',
      fields: [{ title: 'Brand', value: '<@U1>' }],
      fallback: '<!everyone> https://example.com',
    };
    expect(mentionsIn([attachment])).toEqual([
      '<!channel>',
      '<!everyone>',
      'link:https://example.com/card|Card',
      '<@U1>',
    ]);
  });

  test('an unfurl has those of its blocks, but none of its preview', () => {
    const unfurl = { blocks: mrkdwn('<@U1>'), preview: { title: plain('<!channel>') } };
    expect(mentionsIn(unfurl)).toEqual(['<@U1>']);
  });

  test('values, IDs, metadata, and what buttons open don’t count as text', () => {
    const element = {
      type: 'button',
      text: plain('Open'),
      url: 'https://example.com',
      value: '<!channel>',
    };
    const select = {
      type: 'static_select',
      options: [{ text: plain('A'), value: 'https://example.com' }],
    };
    const blocks = [{ type: 'actions', block_id: '<!here>', elements: [element, select] }];
    expect(mentionsIn({ blocks, metadata: { event_payload: { text: '<!channel>' } } })).toEqual([]);
    expect(mentionsIn(modalWith(...blocks))).toEqual([]);
    expect(mentionsIn(Object.values(EVERYWHERE))).toEqual([]);
  });

  test('text with &, <, and > escaped mentions nobody', () => {
    const escaped = (text: string) =>
      text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    const forged = fc.constantFrom('<!channel>', '<@U1>', '<https://a.example|b>', '&lt;!here&gt;');
    const texts = fc
      .array(fc.oneof(forged, fc.string({ unit: anyCharacter })))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(texts, (text) => {
        expect(mentionsIn(mrkdwn(escaped(text), true))).toEqual([]);
      }),
    );
  });
});
