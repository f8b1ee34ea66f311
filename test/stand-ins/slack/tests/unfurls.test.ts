import { expect, test } from 'vitest';
import { textOfMessage } from '../views/shown-text.ts';
import { button, type Setting, section, setUp } from './setting.ts';

const CARD = 'https://app.example.com/card/7';
const preview = (text: string) => ({ blocks: [section(text)] });

async function posted(setting: Setting, text = CARD) {
  const message = await setting.person.post(setting.marketing, text);
  await setting.slack.idle();
  const unfurl = (args: Record<string, unknown>) =>
    setting.call('chat.unfurl', { channel: message.channelId, ts: message.ts, ...args });
  return { message, unfurl };
}

test('a message with card links causes one event, including subdomains and threads', async () => {
  const setting = await setUp();
  const { person, marketing, slack, app, ann } = setting;
  const text = `See <${CARD}|this>, https://eu.app.example.com/card/8. Not https://example.com/9`;
  const message = await person.post(marketing, text, { threadTs: '1.000001' });
  await slack.idle();
  expect(app.heard).toMatchObject([
    {
      kind: 'link_shared',
      payload: {
        is_ext_shared_channel: false,
        authorizations: [{ team_id: setting.workspace.id, is_bot: true }],
        event: {
          channel: marketing.id,
          user: ann.id,
          message_ts: message.ts,
          thread_ts: '1.000001',
          source: 'conversations_history',
          is_bot_user_member: false,
          links: [
            { url: CARD, domain: 'app.example.com' },
            { url: 'https://eu.app.example.com/card/8', domain: 'app.example.com' },
          ],
        },
      },
    },
  ]);
});

test('links in private conversations cause events too, without the bot in them', async () => {
  const setting = await setUp();
  const { workspace, ann, person, slack, app } = setting;
  const secret = workspace.addChannel({ name: 's', kind: 'private', members: [ann] });
  const message = await person.post(secret, CARD);
  await slack.idle();
  expect(app.heard).toHaveLength(1);
  const args = { channel: secret.id, ts: message.ts, unfurls: { [CARD]: preview('Card') } };
  expect(await setting.call('chat.unfurl', args)).toMatchObject({ ok: true });
});

test('there is no event without links, without the subscription, or without links:read', async () => {
  const plain = await setUp();
  await posted(plain, 'https://example.com/card/7');
  const unsubscribed = await setUp({ events: [] });
  await posted(unsubscribed);
  const scopeless = await setUp({ withoutScopes: ['links:read'] });
  await posted(scopeless);
  expect([...plain.app.heard, ...unsubscribed.app.heard, ...scopeless.app.heard]).toEqual([]);
});

test('an unfurl is attached, and a second call changes the same attachment', async () => {
  const setting = await setUp();
  const { message, unfurl } = await posted(setting);
  expect(await unfurl({ unfurls: { [CARD]: preview('One') } })).toMatchObject({ ok: true });
  expect(await unfurl({ unfurls: { [CARD]: preview('Two') } })).toMatchObject({ ok: true });
  expect(message.attachments).toMatchObject([
    { id: 1, app_unfurl_url: CARD, blocks: [{ text: { text: 'Two' } }] },
  ]);
  expect(textOfMessage(message)).toBe(`${CARD}\nTwo`);
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

test('text in the composer has no channel and is previewed by its unfurl ID', async () => {
  const setting = await setUp();
  const { person, marketing, slack, app, call } = setting;
  const composing = await person.compose(marketing, `Look: ${CARD}`);
  await slack.idle();
  const event = Object(app.heard[0]?.payload.event);
  expect(event).toMatchObject({ source: 'composer', channel: 'COMPOSER' });
  expect(event.message_ts).toMatch(/^[0-9a-f-]{36}$/);
  const { unfurl_id, source } = event;
  const title = { type: 'plain_text', text: 'Card' };
  const unfurls = { [CARD]: { preview: { title }, blocks: [section('Card')] } };
  expect(await call('chat.unfurl', { unfurl_id, source, unfurls })).toMatchObject({ ok: true });
  expect(composing.attachments).toMatchObject([{ app_unfurl_url: CARD }]);
  const elsewhere = { channel: 'COMPOSER', ts: event.message_ts, unfurls };
  expect(await call('chat.unfurl', elsewhere)).toMatchObject({ error: 'cannot_find_channel' });
});

test('a posted message can be unfurled by its unfurl ID', async () => {
  const setting = await setUp();
  const { message } = await posted(setting);
  const { unfurl_id, source } = Object(setting.app.heard[0]?.payload.event);
  const args = { unfurl_id, source, unfurls: { [CARD]: preview('x') } };
  expect(await setting.call('chat.unfurl', args)).toMatchObject({ ok: true });
  expect(message.attachments).toHaveLength(1);
});

test('only the poster sees an invitation to connect', async () => {
  const setting = await setUp();
  const { unfurl } = await posted(setting);
  const answer = await unfurl({ unfurls: {}, user_auth_message: 'Connect first' });
  expect(answer).toMatchObject({ ok: true });
  expect(setting.workspace.ephemerals(setting.ann)).toMatchObject([{ text: 'Connect first' }]);
});

test('a button in an unfurl comes with app_unfurl and without the message', async () => {
  const setting = await setUp();
  const { message, unfurl } = await posted(setting);
  const blocks = [section('Card'), button('Refresh', 'refresh')];
  await unfurl({ unfurls: { [CARD]: { blocks } } });
  await setting.person.click({ message, text: 'Refresh' });
  const payload = setting.app.heard.at(-1)?.payload;
  expect(payload).toMatchObject({
    container: {
      type: 'message_attachment',
      message_ts: message.ts,
      channel_id: message.channelId,
      attachment_id: 1,
      is_app_unfurl: true,
      app_unfurl_url: CARD,
    },
    app_unfurl: { id: 1, app_unfurl_url: CARD, is_app_unfurl: true },
  });
  expect(payload).not.toHaveProperty('message');
});
