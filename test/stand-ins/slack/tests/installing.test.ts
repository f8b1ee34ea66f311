import { expect, test } from 'vitest';
import type { JsonObject } from '../json.ts';
import { readManifest } from '../manifest.ts';
import { startSlack } from '../server.ts';
import { type ManifestChanges, manifest } from './manifest.ts';
import { setUp } from './setting.ts';

const REDIRECT = 'https://example.com/slack/oauth_redirect';
const OK = { ok: true };

async function dance(changes: ManifestChanges = {}) {
  const setting = await setUp(changes);
  const { slack, call } = setting;
  const company = slack.addWorkspace({ name: 'New', installed: false });
  const nora = company.addUser({ name: 'Nora', admin: true });
  const address = (more: Record<string, string> = {}) => {
    const params = { client_id: slack.clientId, scope: 'commands,chat:write', state: 's1' };
    const query = new URLSearchParams({ ...params, redirect_uri: REDIRECT, ...more });
    return `${slack.authorizeUrl}?${query}`;
  };
  const allow = (more?: Record<string, string>) =>
    new URL(slack.authorize(company, nora, address(more))).searchParams.get('code');
  const client = { client_id: slack.clientId, client_secret: slack.clientSecret };
  const exchange = (more: JsonObject) =>
    call('oauth.v2.access', { ...client, redirect_uri: REDIRECT, ...more }, '');
  return { ...setting, address, allow, exchange };
}

test('a code works once, for ten minutes, for its client and redirect URL', async () => {
  const { allow, exchange, pass } = await dance();
  const [code, late] = [allow(), allow()];
  for (const [args, answer] of [
    [{ code: 'x' }, { error: 'invalid_code' }],
    [{ code, client_id: 'x' }, { error: 'invalid_client_id' }],
    [{ code, client_secret: 'x' }, { error: 'bad_client_secret' }],
    [{ code, redirect_uri: undefined }, { error: 'bad_redirect_uri' }],
    [{ code }, OK],
    [{ code }, { error: 'code_already_used' }],
  ] as const) {
    expect(await exchange(args)).toMatchObject(answer);
  }
  pass(10 * 60 * 1000 + 1);
  expect(await exchange({ code: late })).toMatchObject({ error: 'invalid_code' });
  for (const [request, error] of [
    [{ client_id: 'x' }, 'invalid_client_id'],
    [{ scope: '' }, 'invalid_scope'],
    [{ scope: 'commands,admin' }, 'invalid_scope'],
    [{ redirect_uri: 'https://evil.example.com/' }, 'bad_redirect_uri'],
  ] as const) {
    expect(() => allow(request)).toThrow(error);
  }
});

test('with rotation, tokens expire, and a refresh token works once plus a short grace period', async () => {
  const { allow, exchange, call, pass } = await dance({ tokenRotation: true });
  const first = await exchange({ code: allow() });
  expect(first).toMatchObject({ ok: true, expires_in: 43_200 });
  const works = ({ access_token }: JsonObject) => call('auth.test', {}, String(access_token));
  expect(await works(first)).toMatchObject(OK);
  pass(43_200_000);
  expect(await works(first)).toMatchObject({ error: 'token_expired' });
  const refresh = ({ refresh_token }: JsonObject) =>
    exchange({ grant_type: 'refresh_token', refresh_token });
  const second = await refresh(first);
  // The answer may have been lost.
  const third = await refresh(first);
  // Two tokens of an installation work at a time.
  const fourth = await refresh(third);
  const all = await Promise.all([second, third, fourth].map(works));
  expect(all.map(({ ok }) => ok)).toEqual([false, true, true]);
  pass(10_001);
  expect(await refresh(first)).toMatchObject({ error: 'invalid_refresh_token' });
});

test('an organization’s token works only in the workspaces that got the app', async () => {
  const { slack, call, address, exchange } = await dance();
  const org = { enterpriseId: 'E1', orgWideInstall: true, installed: false };
  const design = slack.addWorkspace({ name: 'Design', ...org });
  const sales = slack.addWorkspace({ name: 'Sales', ...org });
  const olga = design.addUser({ name: 'Olga', admin: true });
  const sam = sales.addUser({ name: 'Sam' });
  const scope = 'commands,chat:write,users:read';
  const back = new URL(slack.authorize(design, olga, address({ scope })));
  const { access_token } = await exchange({ code: back.searchParams.get('code') });
  const token = String(access_token);
  expect(await call('auth.teams.list', {}, token)).toMatchObject({ ok: true, teams: [] });
  design.changeAccess('team_access_granted');
  const teams = [{ id: design.id, name: 'Design' }];
  const elsewhere = { channel: sam.id, text: 'x', team_id: sales.id };
  for (const [method, args, answer] of [
    ['auth.teams.list', {}, { teams }],
    ['chat.postMessage', { channel: olga.id, text: 'x', team_id: design.id }, OK],
    ['users.list', {}, { error: 'missing_argument' }],
    ['chat.postMessage', elsewhere, { error: 'team_access_not_granted' }],
  ] as const) {
    expect(await call(method, args, token)).toMatchObject(answer);
  }
  design.uninstall();
  expect(await call('auth.test', {}, token)).toMatchObject({ error: 'account_inactive' });
});

const base = Object(manifest());
const query = { value: '{{client.query}}' };

/** A manifest with a step, and a function that lists the options of its menu. */
function withOptions(dynamic_options: JsonObject, type = 'string') {
  const lister = {
    title: 'List',
    description: 'Lists them',
    input_parameters: { query: { type: 'string', title: 'Query' } },
    output_parameters: { options: { type: 'slack#/types/options_select', title: 'Options' } },
  };
  const step = {
    title: 'Step',
    description: 'Takes it',
    input_parameters: { brand: { type, title: 'Brand', dynamic_options } },
    output_parameters: {},
  };
  return { ...base, functions: { lister, step } };
}

const withDomains = (unfurl_domains: string[]) => ({
  ...base,
  features: { ...base.features, unfurl_domains },
});
const six = Array.from({ length: 6 }, (_, index) => `app${index}.example.com`);
const list = { function: '#/functions/lister', inputs: { query } };
const { function_runtime: _runtime, ...settings } = base.settings;

test.for<[what: string, manifest: object, problem: string]>([
  ...['*.example.com', '[::1]', '127.0.0.1', 'localhost', 'my_app.example.com', '.example.com'].map(
    (domain): [string, object, string] => [domain, withDomains([domain]), 'unfurl_domains'],
  ),
  ['six unfurl domains', withDomains(six), 'unfurl_domains'],
  ['functions without their runtime', { ...withOptions(list), settings }, 'function_runtime'],
  ...[
    { function: '#/functions/step', inputs: {} },
    { ...list, inputs: { other: query } },
    { ...list, inputs: { query: { value: '{{input_parameters.x}}' } } },
    { ...list, inputs: { query: { value: '{{client.other}}' } } },
  ].map((options): [string, object, string] => [
    JSON.stringify(options),
    withOptions(options),
    '#/functions/',
  ]),
  ...['date', 'text', 'slack#/types/string'].map((type): [string, object, string] => [
    `an input of the type ${type}`,
    withOptions(list, type),
    'Invalid option',
  ]),
])('a manifest is refused with %s', ([, given, problem]) => {
  expect(() => readManifest(given)).toThrow(problem);
});

test('Slack doesn’t start with an invalid manifest', async () => {
  await expect(startSlack({ manifest: { features: 7 } })).rejects.toThrow();
  expect(readManifest(withDomains(six.slice(1))).unfurlDomains).toHaveLength(5);
  expect(Object.keys(readManifest(withOptions(list)).functions)).toEqual(['lister', 'step']);
});
