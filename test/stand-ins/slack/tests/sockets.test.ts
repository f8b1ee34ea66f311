import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type Setting, setUp } from './setting.ts';

async function connectSocket({ call, slack }: Setting): Promise<string> {
  const { url } = await call('apps.connections.open', {}, slack.appToken);
  new WebSocket(String(url));
  await slack.until(() => slack.sockets.count() > 0, 'the connection');
  return String(url);
}

test('a connection needs the app token, and its URL works once', async () => {
  const setting = await setUp();
  const { call, workspace } = setting;
  expect(await call('apps.connections.open', {}, '')).toMatchObject({ error: 'not_authed' });
  expect(await call('apps.connections.open', {}, workspace.botToken)).toMatchObject({
    error: 'invalid_auth',
  });
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
