import { expect, test } from 'vitest';
import { type Setting, section, setUp } from './setting.ts';

const CARD = 'https://app.example.com/card/7';
const preview = (text: string) => ({ blocks: [section(text)] });

async function posted(setting: Setting, text = CARD) {
  const message = await setting.person.post(setting.marketing, text);
  await setting.slack.idle();
  const unfurl = (args: Record<string, unknown>) =>
    setting.call('chat.unfurl', { channel: message.channelId, ts: message.ts, ...args });
  return { message, unfurl };
}

test('there is no event without links, without the subscription, or without links:read', async () => {
  const plain = await setUp();
  await posted(plain, 'https://example.com/card/7');
  const unsubscribed = await setUp({ events: [] });
  await posted(unsubscribed);
  const scopeless = await setUp({ withoutScopes: ['links:read'] });
  await posted(scopeless);
  expect([...plain.app.heard, ...unsubscribed.app.heard, ...scopeless.app.heard]).toEqual([]);
});

test('only links of that message are unfurled, and only of the app', async () => {
  const setting = await setUp();
  const { message, unfurl } = await posted(setting, `${CARD} https://example.com/9`);
  for (const url of ['https://app.example.com/card/8', 'https://example.com/9', `${CARD}/`]) {
    expect(await unfurl({ unfurls: { [url]: preview('x') } })).toEqual({
      ok: false,
      error: 'cannot_unfurl_url',
    });
  }
  expect(message.attachments).toEqual([]);
});

test.each([
  ['rich text', [{ type: 'rich_text', elements: [] }]],
  ['inputs', [{ type: 'input', label: { type: 'plain_text', text: 'x' }, element: {} }]],
  ['an unknown block', [{ type: 'nonsense' }]],
])('%s can’t be in an unfurl', async (_what, blocks) => {
  const setting = await setUp();
  const { unfurl, message } = await posted(setting);
  const answer = await unfurl({ unfurls: { [CARD]: { blocks } } });
  expect(answer).toMatchObject({ ok: false, error: 'invalid_blocks' });
  expect(Object(answer.errors)[0]).toContain('/blocks/0');
  expect(message.attachments).toEqual([]);
});

test('a picture that Slack can’t fetch makes the unfurl fail', async () => {
  const setting = await setUp();
  const { unfurl } = await posted(setting);
  setting.slack.brokenImages.add('*');
  const image = { type: 'image', image_url: 'https://x.example.com/a.png', alt_text: 'x' };
  expect(await unfurl({ unfurls: { [CARD]: { blocks: [image] } } })).toMatchObject({
    error: 'invalid_blocks',
  });
  expect(await unfurl({ unfurls: { [CARD]: preview('x') } })).toMatchObject({ ok: true });
});

test('calls without a message report what is missing', async () => {
  const setting = await setUp();
  const { message } = await posted(setting);
  const unfurls = { [CARD]: preview('x') };
  const say = async (args: Record<string, unknown>) =>
    (await setting.call('chat.unfurl', args)).error;
  const { channelId: channel, ts } = message;
  expect(await say({ channel, ts })).toBe('missing_unfurls');
  expect(await say({ channel, ts, unfurls: '{' })).toBe('invalid_unfurls_format');
  expect(await say({ channel, ts, unfurls: '[]' })).toBe('invalid_unfurls_format');
  expect(await say({ channel, ts, unfurls: { [CARD]: 'x' } })).toBe('cannot_parse_attachment');
  expect(await say({ unfurls })).toBe('missing_channel');
  expect(await say({ channel, unfurls })).toBe('missing_ts');
  expect(await say({ source: 'composer', unfurls })).toBe('missing_unfurl_id');
  expect(await say({ unfurl_id: 'x', unfurls })).toBe('missing_source');
  expect(await say({ unfurl_id: 'x', source: 'composer', unfurls })).toBe('cannot_unfurl_message');
  expect(await say({ channel: 'C404', ts, unfurls })).toBe('cannot_find_channel');
  expect(await say({ channel, ts: '1.000001', unfurls })).toBe('cannot_find_message');
  setting.person.remove(message);
  expect(await say({ channel, ts, unfurls })).toBe('cannot_find_message');
});
