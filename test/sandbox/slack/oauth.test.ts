import { expect, test } from 'vitest';
import type { ManifestChanges } from './manifest.ts';
import { setUp } from './setting.ts';

const REDIRECT = 'https://example.com/slack/oauth_redirect';

async function dance(changes: ManifestChanges = {}) {
  const setting = await setUp(changes);
  const { slack, call } = setting;
  const company = slack.addWorkspace({ name: 'New', installed: false });
  const nora = company.addUser({ name: 'Nora', admin: true });
  const address = (more: Record<string, string> = {}) => {
    const url = new URL(slack.authorizeUrl);
    const params = { client_id: slack.clientId, scope: 'commands,chat:write', state: 's1' };
    url.search = new URLSearchParams({ ...params, redirect_uri: REDIRECT, ...more }).toString();
    return url.toString();
  };
  const allow = (more?: Record<string, string>) =>
    new URL(slack.authorize(company, nora, address(more)));
  const exchange = (more: Record<string, unknown>) =>
    call(
      'oauth.v2.access',
      {
        client_id: slack.clientId,
        client_secret: slack.clientSecret,
        redirect_uri: REDIRECT,
        ...more,
      },
      '',
    );
  return { ...setting, company, nora, address, allow, exchange };
}

test('a person allows the app, and the code becomes a token with those scopes', async () => {
  const { company, nora, allow, exchange, call } = await dance();
  const back = allow();
  expect(back.toString()).toContain(REDIRECT);
  expect(back.searchParams.get('state')).toBe('s1');
  expect(company.installed).toBe(false);
  const answer = await exchange({ code: back.searchParams.get('code') });
  expect(answer).toMatchObject({
    ok: true,
    token_type: 'bot',
    scope: 'commands,chat:write',
    bot_user_id: company.botUserId,
    team: { id: company.id, name: 'New' },
    authed_user: { id: nora.id },
    is_enterprise_install: false,
  });
  const token = String(answer.access_token);
  expect(await call('auth.test', {}, token)).toMatchObject({ team_id: company.id });
  expect(await call('users.info', { user: nora.id }, token)).toMatchObject({
    error: 'missing_scope',
    provided: 'commands,chat:write',
  });
});

test('a code works once, for ten minutes, for that client and address', async () => {
  const { allow, exchange, pass } = await dance();
  const code = () => allow().searchParams.get('code');
  const one = code();
  expect(await exchange({ code: 'x' })).toMatchObject({ error: 'invalid_code' });
  expect(await exchange({ code: one, client_id: 'x' })).toMatchObject({
    error: 'invalid_client_id',
  });
  expect(await exchange({ code: one, client_secret: 'x' })).toMatchObject({
    error: 'bad_client_secret',
  });
  expect(await exchange({ code: one, redirect_uri: undefined })).toMatchObject({
    error: 'bad_redirect_uri',
  });
  expect(await exchange({ code: one })).toMatchObject({ ok: true });
  expect(await exchange({ code: one })).toMatchObject({ error: 'code_already_used' });
  const late = code();
  pass(10 * 60 * 1000 + 1);
  expect(await exchange({ code: late })).toMatchObject({ error: 'invalid_code' });
});

test('a request that Slack would not show is refused', async () => {
  const { allow } = await dance();
  expect(() => allow({ client_id: 'x' })).toThrow('invalid_client_id');
  expect(() => allow({ scope: '' })).toThrow('invalid_scope');
  expect(() => allow({ scope: 'commands,admin' })).toThrow('invalid_scope');
  expect(() => allow({ redirect_uri: 'https://evil.example.com/' })).toThrow('bad_redirect_uri');
});

test('the page offers everybody, leads back with a code, and says what is wrong', async () => {
  const { address, exchange } = await dance();
  const page = await (await fetch(address())).text();
  expect(page).toContain('access_denied');
  const href = /href="([^"]+)">Allow in New as Nora/.exec(page)?.[1]?.replaceAll('&amp;', '&');
  const response = await fetch(new URL(href ?? '', address()), { redirect: 'manual' });
  const location = new URL(response.headers.get('location') ?? '');
  expect(await exchange({ code: location.searchParams.get('code') })).toMatchObject({ ok: true });
  const refused = await fetch(address({ client_id: 'x' }));
  expect([refused.status, await refused.text()]).toEqual([
    400,
    expect.stringContaining('invalid_client_id'),
  ]);
});

test('with rotation tokens expire, and a refresh token works once', async () => {
  const { allow, exchange, call, pass } = await dance({ tokenRotation: true });
  const first = await exchange({ code: allow().searchParams.get('code') });
  expect(first).toMatchObject({ ok: true, expires_in: 43_200 });
  const token = String(first.access_token);
  expect(await call('auth.test', {}, token)).toMatchObject({ ok: true });
  pass(43_200_000);
  expect(await call('auth.test', {}, token)).toMatchObject({ error: 'token_expired' });
  const refresh = { grant_type: 'refresh_token', refresh_token: first.refresh_token };
  const second = await exchange(refresh);
  expect(second).toMatchObject({ ok: true });
  expect(await call('auth.test', {}, String(second.access_token))).toMatchObject({ ok: true });
  expect(await exchange(refresh)).toMatchObject({ error: 'invalid_refresh_token' });
});
