import { expect, test } from 'vitest';
import { mentionsIn } from '../../block-kit/mentions.ts';
import { EVERYWHERE, modalWith, plain, richText } from './examples.ts';

const mrkdwn = (text: string, verbatim?: boolean) => [
  { type: 'section', text: { type: 'mrkdwn', text, verbatim } },
];

test.for<[text: string, found: string[]]>([
  ['<!channel>', ['<!channel>']],
  ['<!here|here> and <!everyone>', ['<!here>', '<!everyone>']],
  ['<!subteam^S123|@design>', ['<!subteam^S123>']],
  ['<@U123|ana>, <@W123>', ['<@U123>', '<@W123>']],
  ['<#C123|design>', ['<#C123>']],
  ['<https://example.com|example>', ['link:https://example.com|example']],
  ['<https://a.example|https://b.example>', ['link:https://a.example|https://b.example']],
  ['<https://example.com>', ['link:https://example.com']],
  ['<mailto:ana@example.com|ana>', ['link:mailto:ana@example.com|ana']],
  ['<example.com|no scheme>', ['link:example.com|no scheme']],
  ['<<!channel>', ['<!channel>']],
  ['`<!channel>`', ['<!channel>']],
  ['<!date^1790000000^{date}^https://example.com|soon>', ['link:https://example.com|soon']],
  ['<!date^1790000000^{date}|soon>', []],
  ['&lt;!channel&gt; &lt;@U123&gt;', []],
  ['< > <> a < b', []],
])('found in any mrkdwn: %s', ([text, found]) => {
  expect(mentionsIn(mrkdwn(text, true))).toEqual(found);
  expect(mentionsIn(mrkdwn(text))).toEqual(found);
});

test.for<[text: string, found: string[]]>([
  ['hey @channel!', ['@channel']],
  ['@here @Everyone', ['@here', '@everyone']],
  ['see #design-requests', ['#design-requests']],
  ['see https://example.com/a.', ['link:https://example.com/a.']],
  ['www.example.com', ['link:www.example.com']],
  ['ana@here.example @ana &#39; a#b example.com @channels', []],
])('found unless the text is verbatim: %s', ([text, found]) => {
  expect(mentionsIn(mrkdwn(text))).toEqual(found);
  expect(mentionsIn(mrkdwn(text, true))).toEqual([]);
});

const raw = '<!channel> @channel <https://a.example|b>';
const section = { type: 'rich_text_section', elements: [{ type: 'text', text: raw }] };
const button = { type: 'button', text: plain('Open'), url: 'https://example.com', value: raw };
const quiet = { type: 'actions', block_id: '<!here>', elements: [button] };
const inRichText = ['<@U0ANA>', '<!subteam^S0DESIGN>', '<#C0DESIGN>'];

test.for<[where: string, payload: unknown, found: string[]]>([
  ['plain text', [{ type: 'header', text: plain(raw) }], []],
  [
    'the elements of rich text',
    [richText],
    ['link:https://example.com/brief|the brief', ...inRichText],
  ],
  ['the text of rich text', [{ type: 'rich_text', elements: [section] }], []],
  [
    'a text',
    '<!here> @channel #design https://example.com',
    ['<!here>', 'link:https://example.com'],
  ],
  ['a message', { channel: 'C1', text: '<!here> @channel', blocks: [] }, ['<!here>']],
  ['a preview', { blocks: mrkdwn('<@U1>'), preview: { title: plain('<!channel>') } }, ['<@U1>']],
  ['values, IDs, and metadata', { blocks: [quiet], metadata: { text: '<!channel>' } }, []],
  ['a view', modalWith(quiet), []],
  ['blocks without any', Object.values(EVERYWHERE), []],
])('in %s', ([, payload, found]) => {
  expect(mentionsIn(payload)).toEqual(found);
});
