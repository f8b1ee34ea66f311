import { expect, test } from 'vitest';
import { setUp } from './setting.ts';

test('a call without a token or with an invalid one is refused', async () => {
  const { call } = await setUp();
  expect(await call('auth.test', {}, '')).toEqual({ ok: false, error: 'not_authed' });
  expect(await call('auth.test', {}, 'xoxb-nonsense')).toEqual({
    ok: false,
    error: 'invalid_auth',
  });
});

test('the token may be in a form, but not in a JSON body', async () => {
  const { slack, workspace } = await setUp();
  const send = async (type: string, body: string) => {
    const headers = { 'content-type': type };
    const response = await fetch(`${slack.apiUrl}auth.test`, { method: 'POST', headers, body });
    return response.json();
  };
  const form = 'application/x-www-form-urlencoded';
  expect(await send(form, `token=${workspace.botToken}`)).toMatchObject({ ok: true });
  const json = JSON.stringify({ token: workspace.botToken });
  expect(await send('application/json', json)).toMatchObject({ error: 'not_authed' });
  expect(await send('application/json', '{')).toMatchObject({ error: 'invalid_json' });
  expect(await send('application/json', '[]')).toMatchObject({ error: 'json_not_object' });
  expect(await send('image/png', 'x')).toMatchObject({ error: 'invalid_post_type' });
});

test.each(['nonsense', 'constructor', 'chat.postMessag'])('%s is not a method', async (method) => {
  const { call } = await setUp();
  expect(await call(method)).toMatchObject({ ok: false, error: 'unknown_method' });
});

test.each([
  ['chat.postMessage', ['chat:write']],
  ['chat.postEphemeral', ['chat:write']],
  ['chat.update', ['chat:write']],
  ['chat.delete', ['chat:write']],
  ['chat.unfurl', ['links:write']],
  ['conversations.info', ['channels:read', 'groups:read']],
  ['conversations.members', ['channels:read', 'groups:read']],
  ['users.info', ['users:read']],
])('%s needs its scope', async (method, withoutScopes) => {
  const { call } = await setUp({ withoutScopes });
  const answer = await call(method);
  expect(answer).toMatchObject({ ok: false, error: 'missing_scope' });
  expect(String(answer.needed).split(',')).toEqual(expect.arrayContaining(withoutScopes));
  expect(String(answer.provided).split(',')).not.toEqual(expect.arrayContaining(withoutScopes));
});

test('after an uninstall the token is invalid and no more events are sent', async () => {
  const { call, workspace, person, marketing, slack, app } = await setUp({
    events: ['link_shared', 'app_uninstalled', 'tokens_revoked'],
  });
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
  expect(await call('auth.test', {}, fresh)).toMatchObject({ ok: true });
});
