import { expect, test } from 'vitest';
import { section, setUp } from './setting.ts';

test('without chat:write.public the bot must have joined', async () => {
  const { call, workspace, marketing } = await setUp({ withoutScopes: ['chat:write.public'] });
  const joined = workspace.addChannel({ name: 'joined', botIsMember: true });
  expect(await call('chat.postMessage', { channel: marketing.id, text: 'x' })).toMatchObject({
    error: 'not_in_channel',
  });
  expect(await call('chat.postMessage', { channel: joined.id, text: 'x' })).toMatchObject({
    ok: true,
  });
});

test('chat:write.public doesn’t extend to a channel that another company created', async () => {
  const { workspace, slack, call } = await setUp();
  const host = slack.addWorkspace({ name: 'Host' });
  const channel = host.addChannel({ name: 'theirs', sharedWith: [workspace] });
  expect(await call('chat.postMessage', { channel: channel.id, text: 'x' })).toMatchObject({
    error: 'not_in_channel',
  });
});

test('every channel that can’t receive messages has its error', async () => {
  const { call, workspace, slack } = await setUp();
  const post = async (channel: string) =>
    (await call('chat.postMessage', { channel, text: 'x' })).error;
  const other = slack.addWorkspace({ name: 'Other' });
  const bob = other.addUser({ name: 'Bob' });
  expect(await post('C404')).toBe('channel_not_found');
  expect(await post(workspace.addChannel({ name: 'p', kind: 'private' }).id)).toBe(
    'channel_not_found',
  );
  expect(await post(workspace.addChannel({ name: 'd', kind: 'im' }).id)).toBe('channel_not_found');
  expect(await post(other.addChannel({ name: 'theirs' }).id)).toBe('channel_not_found');
  expect(await post(bob.id)).toBe('channel_not_found');
  expect(await post(workspace.addChannel({ name: 'old', archived: true }).id)).toBe('is_archived');
  expect(await post(workspace.addChannel({ name: 'quiet', readOnly: true }).id)).toBe(
    'restricted_action_read_only_channel',
  );
  expect(await post(workspace.botUserId)).toBe('cannot_dm_bot');
  expect(await post('')).toBe('invalid_arguments');
});

test('every invalid message has its error', async () => {
  const { call, marketing } = await setUp();
  const post = async (args: Record<string, unknown>) =>
    (await call('chat.postMessage', { channel: marketing.id, ...args })).error;
  expect(await post({})).toBe('no_text');
  expect(await post({ text: '', blocks: [] })).toBe('no_text');
  expect(await post({ text: 'x'.repeat(40_001) })).toBe('msg_too_long');
  expect(await post({ blocks: '[{' })).toBe('invalid_blocks_format');
  expect(await post({ blocks: [{ type: 'nonsense' }] })).toBe('invalid_blocks');
  expect(await post({ attachments: [{ text: 'x' }] })).toBe('invalid_attachments');
});

test('refused blocks are reported with their pointers, twice', async () => {
  const { call, marketing } = await setUp();
  const blocks = [section('x'.repeat(3001))];
  const answer = await call('chat.postMessage', { channel: marketing.id, text: 'x', blocks });
  const [told] = Object(answer.errors);
  expect(told).toMatch(/\[json-pointer:\/blocks\/0\/text\/text\]$/);
  expect(answer.response_metadata).toEqual({ messages: [`[ERROR] ${told}`] });
});

test('a picture that Slack can’t fetch is refused', async () => {
  const { call, marketing, slack } = await setUp();
  const image_url = 'https://files.example.com/7.png';
  const blocks = [{ type: 'image', image_url, alt_text: 'Design' }];
  const post = () => call('chat.postMessage', { channel: marketing.id, text: 'x', blocks });
  expect(await post()).toMatchObject({ ok: true });
  slack.brokenImages.add(image_url);
  expect(await post()).toMatchObject({
    error: 'invalid_blocks',
    errors: ['downloading image failed [json-pointer:/blocks/0/image_url]'],
  });
});

test('an app can only change or delete its own messages', async () => {
  const { call, marketing, person, workspace } = await setUp();
  const channel = marketing.id;
  const { ts } = await person.post(marketing, 'Mine');
  const change = { channel, ts, text: 'Yours' };
  expect(await call('chat.update', change)).toMatchObject({ error: 'cant_update_message' });
  expect(await call('chat.delete', { channel, ts })).toMatchObject({
    error: 'cant_delete_message',
  });
  const gone = { channel, ts: '1.000001', text: 'x' };
  expect(await call('chat.update', gone)).toMatchObject({ error: 'message_not_found' });
  const own = await call('chat.postMessage', { channel, text: 'x' });
  expect(await call('chat.update', { channel, ts: own.ts })).toMatchObject({ error: 'no_text' });
  expect(await call('chat.delete', { channel, ts: own.ts })).toMatchObject({ ok: true });
  expect(workspace.messages(marketing)).toHaveLength(1);
});

test.each(['U…', 'D…'])('direct messages to %s need the Messages tab', async (target) => {
  const { call, workspace, ann } = await setUp({ messagesTab: false });
  const between = workspace.addChannel({ name: '', kind: 'im', members: [ann], botIsMember: true });
  const channel = target === 'U…' ? ann.id : between.id;
  expect(await call('chat.postMessage', { channel, text: 'x' })).toMatchObject({
    error: 'messages_tab_disabled',
  });
  expect(workspace.directMessages(ann)).toEqual([]);
});

test('an ephemeral message needs the app in the channel, public or not', async () => {
  const { call, marketing, ann } = await setUp();
  const send = (channel: string) =>
    call('chat.postEphemeral', { channel, user: ann.id, text: 'Psst' });
  expect(await send(marketing.id)).toMatchObject({ error: 'not_in_channel' });
  expect(await send(ann.id)).toMatchObject({ error: 'channel_not_found' });
});

test('an ephemeral message is for people who are in the channel', async () => {
  const { call, marketing, workspace, ann } = await setUp();
  marketing.members.add(workspace.botUserId);
  const ben = workspace.addUser({ name: 'Ben' });
  const send = (user: string) =>
    call('chat.postEphemeral', { channel: marketing.id, user, text: 'Psst' });
  expect(await send(ben.id)).toMatchObject({ error: 'user_not_in_channel' });
  expect(await send('U404')).toMatchObject({ error: 'user_not_in_channel' });
  expect(await send(ann.id)).toMatchObject({ ok: true });
  expect(workspace.ephemerals(ann)).toMatchObject([{ text: 'Psst' }]);
  expect(workspace.ephemerals(ben)).toEqual([]);
});
