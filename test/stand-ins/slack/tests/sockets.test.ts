import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type Setting, setUp } from './setting.ts';

const CARD = 'https://app.example.com/card/7';

type Frame = Record<string, unknown>;

async function connectSocket({ call, slack }: Setting, ack: (frame: Frame) => unknown) {
  const { url } = await call('apps.connections.open', {}, slack.appToken);
  const frames: Frame[] = [];
  const socket = new WebSocket(String(url));
  socket.on('message', (data) => {
    const frame = Object(JSON.parse(data.toString()));
    frames.push(frame);
    const payload = frame.envelope_id === undefined ? undefined : ack(frame);
    if (payload === undefined) return;
    socket.send(JSON.stringify({ envelope_id: frame.envelope_id, payload }));
  });
  await slack.until(() => slack.sockets.count() > 0, 'the connection');
  return { socket, frames, url: String(url) };
}

test('a connection needs the app token, and its URL works once', async () => {
  const setting = await setUp();
  const { call, workspace } = setting;
  expect(await call('apps.connections.open', {}, '')).toMatchObject({ error: 'not_authed' });
  expect(await call('apps.connections.open', {}, workspace.botToken)).toMatchObject({
    error: 'invalid_auth',
  });
  const { url } = await connectSocket(setting, () => ({}));
  const refused = await new Promise((resolve) => new WebSocket(url).on('error', resolve));
  expect(String(refused)).toContain('403');
});

test('a connected socket is preferred, and its answers count like those over HTTP', async () => {
  const setting = await setUp();
  const { frames } = await connectSocket(setting, () => ({ text: 'Over the socket' }));
  const result = await setting.person.command(setting.marketing, 'x');
  expect(result).toMatchObject({ acknowledged: true });
  expect(setting.workspace.ephemerals(setting.ann)).toMatchObject([{ text: 'Over the socket' }]);
  expect(frames).toMatchObject([
    { type: 'hello' },
    {
      type: 'slash_commands',
      accepts_response_payload: true,
      payload: { command: '/design-request', text: 'x' },
    },
  ]);
  expect(setting.app.heard).toEqual([]);
});

test('unacknowledged events are sent again with their number', async () => {
  const setting = await setUp({}, { ackTimeoutMs: 500 });
  const attempt = ({ retry_attempt }: Frame) => (retry_attempt === 0 ? undefined : {});
  const { frames } = await connectSocket(setting, attempt);
  await setting.person.post(setting.marketing, CARD);
  await setting.slack.idle();
  expect(frames.slice(1)).toMatchObject([
    { type: 'events_api', retry_attempt: 0, retry_reason: '' },
    { type: 'events_api', retry_attempt: 1, retry_reason: 'http_timeout' },
  ]);
});

test('a command in progress fails when the connection is cut', async () => {
  const setting = await setUp();
  await connectSocket(setting, () => undefined);
  const command = setting.person.command(setting.marketing);
  await setting.slack.until(() => setting.slack.deliveries.length, 'the delivery');
  setting.slack.sockets.dropAll();
  expect(await command).toMatchObject({ acknowledged: false, error: 'dispatch_failed' });
  expect(setting.slack.sockets.count()).toBe(0);
});

test('a refresh warns a connection that is used until it closes, and HTTP takes over then', async () => {
  const setting = await setUp();
  const { frames, socket } = await connectSocket(setting, () => ({}));
  setting.slack.sockets.refresh();
  await new Promise((resolve) => socket.once('message', resolve));
  expect(frames.at(-1)).toMatchObject({ type: 'disconnect', reason: 'refresh_requested' });
  expect(await setting.person.command(setting.marketing)).toMatchObject({ acknowledged: true });
  expect(setting.app.heard).toEqual([]);
  await new Promise((resolve) => socket.once('close', resolve));
  await setting.person.command(setting.marketing);
  expect(setting.app.heard).toHaveLength(1);
});
