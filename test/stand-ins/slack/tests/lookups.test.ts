import { expect, test } from 'vitest';
import { setUp } from './setting.ts';

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
