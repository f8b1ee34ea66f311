import { expect, test } from 'vitest';
import { modal, section, setUp } from './setting.ts';

const OK = { ok: true };
const PICTURE = 'https://files.example.com/7.png';
const image = { type: 'image', image_url: PICTURE, alt_text: 'Design' };

test('who calls, and how', async () => {
  const { call, slack, workspace, expectAnswers } = await setUp();
  const botToken = workspace.botToken;
  for (const [token, error] of [
    ['', 'not_authed'],
    ['xoxb-nonsense', 'invalid_auth'],
  ] as const) {
    for (const method of ['auth.test', 'chat.postMessage']) {
      expect(await call(method, {}, token)).toEqual({ ok: false, error });
    }
  }
  await expectAnswers(['nonsense', 'constructor'].map((name) => [name, {}, 'unknown_method']));
  for (const [type, body, error] of [
    // Only the header counts.
    ['application/x-www-form-urlencoded', `token=${botToken}`, 'not_authed'],
    ['application/json', JSON.stringify({ token: botToken }), 'not_authed'],
    ['application/json', '{', 'invalid_json'],
    ['application/json', '[]', 'json_not_object'],
    ['image/png', 'x', 'invalid_post_type'],
  ] as const) {
    const options = { method: 'POST', headers: { 'content-type': type }, body };
    const answer = await (await fetch(`${slack.apiUrl}auth.test`, options)).json();
    expect(answer).toEqual({ ok: false, error });
  }
});

test.for<[method: string, scopes: string[]]>([
  ['chat.postMessage', ['chat:write']],
  ['chat.postEphemeral', ['chat:write']],
  ['chat.update', ['chat:write']],
  ['chat.delete', ['chat:write']],
  ['chat.unfurl', ['links:write']],
  ['conversations.info', ['channels:read', 'groups:read']],
  ['conversations.members', ['channels:read', 'groups:read']],
  ['users.info', ['users:read']],
  ['files.info', ['files:read']],
])('%s needs %s', async ([method, withoutScopes]) => {
  const { call } = await setUp({ withoutScopes });
  const answer = await call(method);
  expect(answer).toMatchObject({ ok: false, error: 'missing_scope' });
  expect(String(answer.needed).split(',')).toEqual(expect.arrayContaining(withoutScopes));
  expect(String(answer.provided).split(',')).not.toEqual(expect.arrayContaining(withoutScopes));
});

test('after an uninstall the token is invalid and no more events are sent', async () => {
  const events = ['link_shared', 'app_uninstalled', 'tokens_revoked'];
  const { call, workspace, person, marketing, slack, app } = await setUp({ events });
  const token = workspace.botToken;
  workspace.uninstall();
  await slack.idle();
  expect(app.heard.map(({ kind }) => kind).sort()).toEqual(['app_uninstalled', 'tokens_revoked']);
  expect(await call('auth.test', {}, token)).toMatchObject({ error: 'account_inactive' });
  await person.post(marketing, 'https://app.example.com/card/7');
  await slack.idle();
  expect(app.heard).toHaveLength(2);
  const fresh = workspace.install();
  expect(await call('auth.test', {}, token)).toMatchObject({ error: 'token_revoked' });
  expect(await call('auth.test', {}, fresh)).toMatchObject(OK);
});

test('where a message may be posted, and what', async () => {
  const { workspace, slack, marketing, ann, expectAnswers } = await setUp();
  const other = slack.addWorkspace({ name: 'Other' });
  const theirs = other.addChannel({ name: 'shared', sharedWith: [workspace] });
  const POST = 'chat.postMessage';
  const to = (channel: string) => ({ channel, text: 'x' });
  const at = { channel: marketing.id };
  const add = (name: string, more: object) => workspace.addChannel({ name, ...more }).id;
  await expectAnswers([
    [POST, to('C404'), 'channel_not_found'],
    [POST, to(add('p', { kind: 'private' })), 'channel_not_found'],
    [POST, to(add('d', { kind: 'im' })), 'channel_not_found'],
    [POST, to(other.addChannel({ name: 'x' }).id), 'channel_not_found'],
    [POST, to(other.addUser({ name: 'Bob' }).id), 'channel_not_found'],
    [POST, to(add('old', { archived: true })), 'is_archived'],
    [POST, to(add('quiet', { readOnly: true })), 'restricted_action_read_only_channel'],
    [POST, to(workspace.botUserId), 'cannot_dm_bot'],
    [POST, to(''), 'invalid_arguments'],
    // chat:write.public doesn't extend to a channel that another company created.
    [POST, to(theirs.id), 'not_in_channel'],
    [POST, at, 'no_text'],
    [POST, { ...at, text: '', blocks: [] }, 'no_text'],
    [POST, { ...at, text: 'x'.repeat(40_001) }, 'msg_too_long'],
    [POST, { ...at, blocks: '[{' }, 'invalid_blocks_format'],
    [POST, { ...at, blocks: [{ type: 'nonsense' }] }, 'invalid_blocks'],
    [POST, { ...at, attachments: [{ text: 'x' }] }, 'invalid_attachments'],
    // Public or not, an ephemeral message needs the app in the channel.
    ['chat.postEphemeral', { ...to(marketing.id), user: ann.id }, 'not_in_channel'],
    ['chat.postEphemeral', { ...to(ann.id), user: ann.id }, 'channel_not_found'],
  ]);
  marketing.members.add(workspace.botUserId);
  const ben = workspace.addUser({ name: 'Ben' });
  await expectAnswers([
    ['chat.postEphemeral', { ...to(marketing.id), user: ben.id }, 'user_not_in_channel'],
    ['chat.postEphemeral', { ...to(marketing.id), user: 'U404' }, 'user_not_in_channel'],
    ['chat.postEphemeral', { ...to(marketing.id), user: ann.id }, OK],
  ]);
  expect([ben, ann].map((user) => workspace.ephemerals(user).length)).toEqual([0, 1]);
  const strict = await setUp({ withoutScopes: ['chat:write.public'], messagesTab: false });
  const join = { name: 'joined', botIsMember: true };
  const direct = { name: '', kind: 'im' as const, members: [strict.ann], botIsMember: true };
  await strict.expectAnswers([
    [POST, to(strict.marketing.id), 'not_in_channel'],
    [POST, to(strict.workspace.addChannel(join).id), OK],
    [POST, to(strict.ann.id), 'messages_tab_disabled'],
    [POST, to(strict.workspace.addChannel(direct).id), 'messages_tab_disabled'],
  ]);
});

test('problems are reported with their pointers, twice', async () => {
  const { call, marketing, slack, trigger, expectAnswers } = await setUp();
  const post = (blocks: object[]) =>
    call('chat.postMessage', { channel: marketing.id, text: 'x', blocks });
  const answer = await post([section('x'.repeat(3001))]);
  const [told] = Object(answer.errors);
  expect(told).toMatch(/\[json-pointer:\/blocks\/0\/text\/text\]$/);
  expect(answer.response_metadata).toEqual({ messages: [`[ERROR] ${told}`] });
  expect(await post([image])).toMatchObject(OK);
  slack.brokenImages.add(PICTURE);
  expect(await post([image])).toMatchObject({
    error: 'invalid_blocks',
    errors: ['downloading image failed [json-pointer:/blocks/0/image_url]'],
  });
  const title = { type: 'plain_text', text: 'A title of over 24 letters' };
  const messages = [expect.stringMatching(/^\[ERROR\] .*\[json-pointer:\/view\/title\/text\]$/)];
  const view = modal({ title });
  await expectAnswers([
    [
      'views.open',
      { trigger_id: await trigger(), view },
      { error: 'invalid_arguments', response_metadata: { messages } },
    ],
  ]);
});

test('whose messages an app may change, and which it sees', async () => {
  const { person, marketing, workspace, ann, call, expectAnswers } = await setUp();
  const channel = marketing.id;
  const { ts } = await person.post(marketing, 'Mine');
  const own = { channel, ts: (await call('chat.postMessage', { channel, text: 'x' })).ts };
  const gone = { channel, ts: '1.000001' };
  const secret = workspace.addChannel({ name: 'secret', kind: 'private', members: [ann] });
  const hidden = await person.post(secret, 'A banner');
  await expectAnswers([
    ['chat.update', { channel, ts, text: 'Yours' }, 'cant_update_message'],
    ['chat.delete', { channel, ts }, 'cant_delete_message'],
    ['chat.update', { ...gone, text: 'x' }, 'message_not_found'],
    ['chat.update', own, 'no_text'],
    ['chat.getPermalink', { channel, message_ts: '1.1' }, 'message_not_found'],
    ['chat.getPermalink', { channel: secret.id, message_ts: hidden.ts }, 'channel_not_found'],
  ]);
});

test('which channels and people an app may look up', async () => {
  const { call, workspace, slack, ann, expectAnswers } = await setUp();
  const secret = workspace.addChannel({ name: 'secret', kind: 'private' });
  const other = slack.addWorkspace({ name: 'Other' });
  const bob = workspace.addUser({ name: 'Bob', of: other, admin: true });
  const { id: channel } = workspace.addChannel({ name: 'pair', members: [ann, bob] });
  const { channel: direct } = await call('chat.postMessage', { channel: ann.id, text: 'x' });
  const stranger = other.addUser({ name: 'Sue' }).id;
  const members = (limit: number) => ({ channel, limit });
  await expectAnswers([
    ['conversations.members', members(1), { response_metadata: { next_cursor: 'more' } }],
    ['conversations.members', members(1_000), 'invalid_limit'],
    ['conversations.info', { channel: secret.id }, 'channel_not_found'],
    ['conversations.info', { channel: 'C404' }, 'channel_not_found'],
    ['conversations.info', { channel: direct }, { error: 'missing_scope', needed: 'im:read' }],
    ['users.info', { user: stranger }, 'user_not_visible'],
    ['users.info', { user: 'U404' }, 'user_not_found'],
    ['users.info', {}, 'invalid_arguments'],
  ]);
  // People of other companies have no roles.
  const { user } = await call('users.info', { user: bob.id });
  expect(user).toMatchObject({ team_id: other.id, is_stranger: false });
  expect(user).not.toHaveProperty('is_admin');
  workspace.addUser({ name: 'Kim', of: other, id: 'U0KIM' });
  await expectAnswers([['users.info', { user: 'U0KIM' }, { user: { is_stranger: true } }]]);
  const blind = await setUp({ withoutScopes: ['channels:read'] });
  const needs = { error: 'missing_scope', needed: 'channels:read' };
  await blind.expectAnswers([['conversations.info', { channel: blind.marketing.id }, needs]]);
});

test('which triggers open a view', async () => {
  const { call, trigger, pass, slack, expectAnswers } = await setUp();
  const view = modal();
  const open = (trigger_id: unknown) => ({ trigger_id, view });
  const malformed = {
    error: 'invalid_arguments',
    response_metadata: { messages: ['[ERROR] invalid `trigger_id` [json-pointer:/trigger_id]'] },
  };
  const [used, foreign, inTime] = [await trigger(), await trigger(), await trigger()];
  const { botToken } = slack.addWorkspace({ name: 'Other' });
  expect(await call('views.open', open(foreign), botToken)).toMatchObject({
    error: 'invalid_trigger_id',
  });
  await expectAnswers([
    ['views.open', open(used), OK],
    ['views.open', open(used), 'exchanged_trigger_id'],
    ['views.open', open(`12.34.${'a'.repeat(32)}`), 'invalid_trigger_id'],
    ['views.open', open(undefined), malformed],
    ['views.open', open(''), malformed],
    ['views.open', open('nonsense'), malformed],
  ]);
  pass(3000);
  await expectAnswers([['views.open', open(inTime), OK]]);
  const late = await trigger();
  pass(3001);
  await expectAnswers([['views.open', open(late), 'expired_trigger_id']]);
});

test('which views are shown', async () => {
  const { call, trigger, open, person, slack, ann, app, expectAnswers } = await setUp();
  const large = modal({ blocks: Array.from({ length: 100 }, () => section('x'.repeat(2900))) });
  for (const view of ['', '{', '[]', '"x"']) {
    const args = { trigger_id: await trigger(), view };
    await expectAnswers([['views.open', args, 'invalid_arguments']]);
  }
  await expectAnswers([
    ['views.open', { trigger_id: await trigger(), view: large }, 'view_too_large'],
    ['views.update', { view_id: 'V1', view: modal() }, 'not_found'],
    // The manifest has no Home tab.
    ['views.publish', { user_id: ann.id, view: { type: 'home', blocks: [] } }, 'not_enabled'],
  ]);
  expect(() => person.openApp()).toThrow('no home tab');
  const opened = await open();
  const update = { view_id: opened?.id, hash: opened?.hash, view: modal() };
  const { botToken } = slack.addWorkspace({ name: 'Other' });
  expect(await call('views.update', update, botToken)).toMatchObject({ error: 'not_found' });
  await expectAnswers([
    ['views.update', update, OK],
    ['views.update', update, 'hash_conflict'],
  ]);
  await person.close();
  await expectAnswers([['views.update', { ...update, hash: '' }, 'not_found']]);
  const element = { type: 'button', action_id: 'more', text: { type: 'plain_text', text: 'More' } };
  const row = { blocks: [{ type: 'actions', elements: [element] }] };
  await open(row);
  for (const answer of [OK, OK, 'push_limit_reached']) {
    await person.click({ text: 'More' });
    const { trigger_id } = app.heard.at(-1)?.payload ?? {};
    await expectAnswers([['views.push', { trigger_id, view: modal(row) }, answer]]);
  }
  const withTab = await setUp({ homeTab: true });
  const home = { type: 'home', blocks: [section('Hello')] };
  await withTab.expectAnswers([
    ['views.publish', { user_id: withTab.ann.id, view: home }, OK],
    ['views.publish', { user_id: 'U0', view: home }, 'user_not_found'],
    ['views.publish', { user_id: withTab.ann.id, view: modal() }, 'invalid_arguments'],
  ]);
});
