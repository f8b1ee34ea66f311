import { expect, test } from 'vitest';
import { setUp } from './setting.ts';

test('a channel is described with its kind', async () => {
  const { call, marketing, workspace, slack } = await setUp();
  const other = slack.addWorkspace({ name: 'Other' });
  const shared = workspace.addChannel({ name: 'shared', sharedWith: [other] });
  const secret = workspace.addChannel({ name: 'secret', kind: 'private', botIsMember: true });
  const look = async (channel: string) => (await call('conversations.info', { channel })).channel;
  expect(await look(marketing.id)).toMatchObject({
    name: 'marketing',
    is_private: false,
    is_ext_shared: false,
    is_archived: false,
    is_im: false,
  });
  expect(await look(shared.id)).toMatchObject({ is_ext_shared: true, is_shared: true });
  expect(await look(secret.id)).toMatchObject({ is_private: true, is_member: true });
});

test('the members of a channel are listed, and whether there are more', async () => {
  const { call, workspace, ann } = await setUp();
  const bob = workspace.addUser({ name: 'Bob' });
  const { id: channel } = workspace.addChannel({ name: 'pair', members: [ann, bob] });
  const look = (limit: number) => call('conversations.members', { channel, limit });
  expect(await look(2)).toMatchObject({
    members: [ann.id, bob.id],
    response_metadata: { next_cursor: '' },
  });
  expect(await look(1)).toMatchObject({
    members: [ann.id],
    response_metadata: { next_cursor: 'more' },
  });
  expect(await look(1_000)).toEqual({ ok: false, error: 'invalid_limit' });
});

test('a channel that the bot doesn’t see is not found', async () => {
  const { call, workspace } = await setUp();
  const secret = workspace.addChannel({ name: 'secret', kind: 'private' });
  for (const channel of [secret.id, 'C404']) {
    expect(await call('conversations.info', { channel })).toEqual({
      ok: false,
      error: 'channel_not_found',
    });
  }
});

test('each kind of channel has its own scope', async () => {
  const { call, workspace, ann } = await setUp();
  const { channel } = await call('chat.postMessage', { channel: ann.id, text: 'x' });
  expect(await call('conversations.info', { channel })).toMatchObject({
    error: 'missing_scope',
    needed: 'im:read',
  });
  const { call: blind, marketing } = await setUp({ withoutScopes: ['channels:read'] });
  expect(await blind('conversations.info', { channel: marketing.id })).toMatchObject({
    error: 'missing_scope',
    needed: 'channels:read',
  });
  expect(workspace.installed).toBe(true);
});

test('opening a direct conversation reports what isn’t possible', async () => {
  const { call, workspace, ann, slack } = await setUp({ withScopes: ['im:write'] });
  const gone = workspace.addUser({ name: 'Gone', deleted: true });
  const bob = slack.addWorkspace({ name: 'Other' }).addUser({ name: 'Bob' });
  const open = async (users: string) => (await call('conversations.open', { users })).error;
  expect(await open('')).toBe('users_list_not_supplied');
  expect(await open('U404')).toBe('user_not_found');
  expect(await open(bob.id)).toBe('user_not_found');
  expect(await open(gone.id)).toBe('user_disabled');
  expect(await open(workspace.botUserId)).toBe('cannot_dm_bot');
  expect(await open(Array(9).fill(ann.id).join(','))).toBe('too_many_users');
  expect(await call('conversations.open', { users: ann.id })).toMatchObject({ ok: true });
});

test('people are described with their real roles', async () => {
  const { call, workspace } = await setUp();
  const look = async (user: string) => (await call('users.info', { user })).user;
  const admin = workspace.addUser({ name: 'Ada', admin: true });
  const owner = workspace.addUser({ name: 'Olga', owner: true });
  const guest = workspace.addUser({ name: 'Gus', guest: 'single' });
  const multi = workspace.addUser({ name: 'Mia', guest: 'multi' });
  expect(await look(admin.id)).toMatchObject({ is_admin: true, is_owner: false });
  expect(await look(owner.id)).toMatchObject({ is_admin: true, is_owner: true });
  expect(await look(guest.id)).toMatchObject({ is_restricted: true, is_ultra_restricted: true });
  expect(await look(multi.id)).toMatchObject({ is_restricted: true, is_ultra_restricted: false });
});

test('people of other companies have no roles, and is_stranger only if they share no channel', async () => {
  const { call, workspace, slack } = await setUp();
  const other = slack.addWorkspace({ name: 'Other' });
  const bob = workspace.addUser({ name: 'Bob', of: other, admin: true });
  const look = async () => (await call('users.info', { user: bob.id })).user;
  expect(await look()).toMatchObject({ team_id: other.id, is_stranger: true });
  workspace.addChannel({ name: 'shared', sharedWith: [other], members: [bob] });
  expect(await look()).toMatchObject({ team_id: other.id, is_stranger: false });
  expect(await look()).not.toHaveProperty('is_admin');
});

test('people who can’t be seen are reported as such', async () => {
  const { call, slack } = await setUp();
  const bob = slack.addWorkspace({ name: 'Other' }).addUser({ name: 'Bob' });
  expect(await call('users.info', { user: bob.id })).toMatchObject({ error: 'user_not_visible' });
  expect(await call('users.info', { user: 'U404' })).toMatchObject({ error: 'user_not_found' });
  expect(await call('users.info')).toMatchObject({ error: 'invalid_arguments' });
});
