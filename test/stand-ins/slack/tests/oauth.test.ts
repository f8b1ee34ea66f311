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

test('a code works once, for ten minutes, for its client and redirect URL', async () => {
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

test('a request that Slack wouldn’t show is refused', async () => {
  const { allow } = await dance();
  expect(() => allow({ client_id: 'x' })).toThrow('invalid_client_id');
  expect(() => allow({ scope: '' })).toThrow('invalid_scope');
  expect(() => allow({ scope: 'commands,admin' })).toThrow('invalid_scope');
  expect(() => allow({ redirect_uri: 'https://evil.example.com/' })).toThrow('bad_redirect_uri');
});

test('with rotation, tokens expire, and a refresh token works once plus a short grace period', async () => {
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
  // The answer may have been lost.
  expect(await exchange(refresh)).toMatchObject({ ok: true });
  pass(10_001);
  expect(await exchange(refresh)).toMatchObject({ error: 'invalid_refresh_token' });
});

test('two tokens of an installation work at a time, the older one until it expires', async () => {
  const { allow, exchange, call } = await dance({ tokenRotation: true });
  let last = await exchange({ code: allow().searchParams.get('code') });
  const answers = [last];
  for (let round = 0; round < 2; round += 1) {
    last = await exchange({ grant_type: 'refresh_token', refresh_token: last.refresh_token });
    answers.push(last);
  }
  const works = answers.map(({ access_token }) => call('auth.test', {}, String(access_token)));
  expect((await Promise.all(works)).map(({ ok }) => ok)).toEqual([false, true, true]);
});

test('an organization installs for its workspaces, and gives each the app', async () => {
  const {
    slack,
    call,
    allow: _,
    ...setting
  } = await dance({
    events: ['team_access_granted', 'team_access_revoked'],
  });
  const org = { enterpriseId: 'E1', orgWideInstall: true, installed: false };
  const design = slack.addWorkspace({ name: 'Design', ...org });
  const sales = slack.addWorkspace({ name: 'Sales', ...org });
  const scope = 'commands,chat:write,users:read';
  const olga = design.addUser({ name: 'Olga', admin: true });
  const sam = sales.addUser({ name: 'Sam' });
  const back = new URL(slack.authorize(design, olga, setting.address({ scope })));
  const answer = await setting.exchange({ code: back.searchParams.get('code') });
  expect(answer).toMatchObject({
    team: null,
    enterprise: { id: 'E1' },
    is_enterprise_install: true,
  });
  const token = String(answer.access_token);
  expect(await call('auth.teams.list', {}, token)).toMatchObject({ ok: true, teams: [] });

  design.changeAccess('team_access_granted');
  await slack.idle();
  expect(setting.app.heard.at(-1)?.payload).toMatchObject({
    team_id: null,
    context_enterprise_id: 'E1',
    event: { type: 'team_access_granted', team_ids: [design.id] },
  });
  const teams = [{ id: design.id, name: 'Design' }];
  expect(await call('auth.teams.list', {}, token)).toMatchObject({ teams });
  const said = { channel: olga.id, text: 'Hello', team_id: design.id };
  expect(await call('chat.postMessage', said, token)).toMatchObject({ ok: true });
  expect(await call('chat.postMessage', { channel: olga.id, text: 'x' }, token)).toMatchObject({
    ok: true,
  });
  expect(await call('users.list', {}, token)).toMatchObject({ error: 'missing_argument' });
  const elsewhere = { channel: sam.id, text: 'x', team_id: sales.id };
  expect(await call('chat.postMessage', elsewhere, token)).toMatchObject({
    error: 'team_access_not_granted',
  });
  design.uninstall();
  expect(await call('auth.test', {}, token)).toMatchObject({ error: 'account_inactive' });
});
