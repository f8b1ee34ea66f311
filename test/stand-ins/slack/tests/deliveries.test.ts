import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { ManifestChanges } from './manifest.ts';
import type { Reply } from './scripted-app.ts';
import { type Setting, setUp } from './setting.ts';

test.for<[what: string, reply: Reply, error: string]>([
  ['an answer that fails', { status: 500 }, 'dispatch_failed'],
  ['no answer within three seconds', { never: true }, 'operation_timeout'],
  ['blocks that Slack refuses', { json: { blocks: [{ type: 'section' }] } }, 'invalid_response'],
])('after %s, the person sees an error, and it isn’t sent again', async ([, reply, error]) => {
  const { app, person, marketing, slack, workspace, ann } = await setUp();
  app.answer(() => reply);
  const result = await person.command(marketing);
  expect(result.error).toBe(error);
  if (reply.never) expect(result.ms).toBeGreaterThanOrEqual(2990);
  await slack.idle();
  expect(app.heard).toHaveLength(1);
  expect(workspace.ephemerals(ann)).toEqual([]);
});

test('a command needs the manifest, the scope, and the installation', async () => {
  const { person, marketing, workspace } = await setUp();
  await expect(person.command(marketing, '', '/other')).rejects.toThrow('not a valid command');
  workspace.uninstall();
  await expect(person.command(marketing)).rejects.toThrow('not a valid command');
  const scopeless = await setUp({ withoutScopes: ['commands'] });
  await expect(scopeless.person.command(scopeless.marketing)).rejects.toThrow('not a valid');
});

test('there is no link event without the app’s links, the subscription, or the scope', async () => {
  const card = 'https://app.example.com/card/7';
  const cases: [text: string, changes: ManifestChanges][] = [
    ['https://example.com/card/7', {}],
    [card, { events: [] }],
    [card, { withoutScopes: ['links:read'] }],
  ];
  for (const [text, changes] of cases) {
    const { person, marketing, slack, app } = await setUp(changes);
    await person.post(marketing, text);
    await slack.idle();
    expect(app.heard).toEqual([]);
  }
});

test('a response_url works five times within thirty minutes, and invalid answers count', async () => {
  const { person, marketing, workspace, ann, pass } = await setUp();
  const issued = async () => (await person.command(marketing)).responseUrl;
  const post = async (url: string, body: unknown) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return (await fetch(url, { method: 'POST', body: text })).status;
  };
  const [used, invalid, late] = [await issued(), await issued(), await issued()];
  for (const status of [200, 200, 200, 200, 200, 404]) {
    expect(await post(used, { text: 'x' })).toBe(status);
  }
  for (const body of ['nonsense', {}, { blocks: [{ type: 'section' }] }, { text: '' }, {}, {}]) {
    expect(await post(invalid, body)).toBe(400);
  }
  expect(await post(invalid, { text: 'x' })).toBe(404);
  expect(await post(`${late}x`, { text: 'x' })).toBe(404);
  pass(30 * 60 * 1000);
  expect(await post(late, { text: 'x' })).toBe(200);
  pass(1);
  expect(await post(late, { text: 'x' })).toBe(404);
  expect(workspace.ephemerals(ann)).toHaveLength(6);
});

async function connectSocket({ call, slack }: Setting): Promise<string> {
  const { url } = await call('apps.connections.open', {}, slack.appToken);
  new WebSocket(String(url));
  await slack.until(() => slack.sockets.count() > 0, 'the connection');
  return String(url);
}

test('a connection needs the app token, and its URL works once', async () => {
  const setting = await setUp();
  const open = (token: string) => setting.call('apps.connections.open', {}, token);
  expect(await open('')).toMatchObject({ error: 'not_authed' });
  expect(await open(setting.workspace.botToken)).toMatchObject({ error: 'invalid_auth' });
  const url = await connectSocket(setting);
  const refused = await new Promise((resolve) => new WebSocket(url).on('error', resolve));
  expect(String(refused)).toContain('403');
});

test('a command in progress fails when the connection is cut', async () => {
  const setting = await setUp();
  await connectSocket(setting);
  const command = setting.person.command(setting.marketing);
  await setting.slack.until(() => setting.slack.deliveries.length, 'the delivery');
  setting.slack.sockets.dropAll();
  expect(await command).toMatchObject({ acknowledged: false, error: 'dispatch_failed' });
  expect(setting.slack.sockets.count()).toBe(0);
});
