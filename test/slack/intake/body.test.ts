import { once } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { LARGEST_BODY_BYTES } from '../../../src/slack/intake/http.ts';
import { connectTo } from '../../service/local-server.ts';
import { command, event, interaction, press, submission } from './deliveries.ts';
import { FORM_TYPE, startIntake } from './intake-under-test.ts';

const head = (...headers: string[]) =>
  [
    'POST /slack/events HTTP/1.1',
    'host: x',
    'content-type: application/json',
    ...headers,
    '',
    '',
  ].join('\r\n');

describe('a request body', () => {
  it('of the maximum size is read', async () => {
    const { sendJson, send } = await startIntake();
    const empty = JSON.stringify(event('Ev1', { padding: '' })).length;
    const padding = 'x'.repeat(LARGEST_BODY_BYTES - empty);
    expect(await sendJson(event('Ev1', { padding }))).toMatchObject({ status: 200 });
    expect(await send('x'.repeat(LARGEST_BODY_BYTES))).toMatchObject({ status: 400 });
  });

  it('may be a form with 32,000 Chinese characters, each typed and shown again', async () => {
    const { send } = await startIntake();
    const typed = '设计'.repeat(16_000);
    const view = {
      id: 'V1',
      hash: '1',
      blocks: [{ initial_value: typed }],
      state: { values: { a: { b: { value: typed } } } },
    };
    const answer = await send(interaction(submission('1.2', { view })), FORM_TYPE);
    expect(answer.status).not.toBe(413);
  });

  const TOO_LARGE = LARGEST_BODY_BYTES + 1;

  it.each([
    ['announced as too large is refused before it is sent', `content-length: ${TOO_LARGE}`, ''],
    [
      'that grows too large unannounced is refused at the limit',
      'transfer-encoding: chunked',
      `${TOO_LARGE.toString(16)}\r\n${'x'.repeat(TOO_LARGE)}`,
    ],
  ])('%s', async (_what, header, sent) => {
    const { url, log } = await startIntake();
    const { socket, all } = connectTo(url);
    socket.write(head(header) + sent);
    expect(await all).toMatch(/^HTTP\/1\.1 413 [\s\S]*connection: close[\s\S]*too_large/i);
    expect(log).toEqual([]);
  });

  it('is refused if too many large ones are incomplete, while small ones get through', async () => {
    const app = await startIntake();
    const almost = LARGEST_BODY_BYTES - 1;
    const sockets = Array.from({ length: 8 }, () => connectTo(app.url).socket);
    const answers = sockets.map((socket) => {
      socket.write(head(`content-length: ${LARGEST_BODY_BYTES}`));
      socket.write(Buffer.alloc(almost, 'x'));
      return once(socket, 'data').then(([answer]) => String(answer).slice(0, 12));
    });
    expect(await Promise.any(answers)).toBe('HTTP/1.1 503');
    expect(await app.sendJson(event('Ev1'))).toMatchObject({ status: 200 });
    for (const socket of sockets) socket.destroy();
    const padding = 'x'.repeat(LARGEST_BODY_BYTES / 2);
    await expect.poll(() => app.sendJson(event('Ev2', { padding }))).toMatchObject({ status: 200 });
  });

  it('whose sender disconnects isn’t logged as our error', async () => {
    const app = await startIntake();
    const { socket } = connectTo(app.url);
    await new Promise<void>((resolve) => {
      socket.write(`${head('content-length: 1000')}{"type":`, () => resolve());
    });
    expect(await app.sendJson(event('Ev1'))).toMatchObject({ status: 200 });
    socket.destroy();
    await expect.poll(() => app.sendJson(event('Ev2'))).toMatchObject({ status: 200 });
    expect(app.log).toEqual([]);
  });
});

describe('a delivery from Slack', () => {
  const ran = vi.fn();
  const start = () => {
    ran.mockClear();
    return startIntake((bolt) => {
      bolt.command('/design-request', async ({ ack, command: { text } }) => {
        ran(text);
        await ack();
      });
      bolt.action('press', async ({ ack, body }) => {
        ran(body.user.id);
        await ack();
      });
    });
  };

  it.each([`${FORM_TYPE}; charset=utf-8`, 'Application/X-WWW-Form-URLencoded'])(
    'is read as a form if its type is "%s"',
    async (type) => {
      const { send } = await start();
      expect(await send(command('t1', { text: 'ü & 🎨 = 100 %' }), type)).toMatchObject({
        status: 200,
      });
      expect(await send(interaction(press('t2')), type)).toMatchObject({ status: 200 });
      expect(ran.mock.calls).toEqual([['ü & 🎨 = 100 %'], ['U1']]);
    },
  );

  it('is read as JSON if its type says so, with a charset', async () => {
    const { send, stored } = await start();
    const sent = send(JSON.stringify(event('Ev1')), 'application/json; charset=utf-8');
    expect(await sent).toMatchObject({ status: 200 });
    expect(await stored()).toHaveLength(1);
  });

  it.each(['text/plain', '', ';', 'application/json5'])(
    'is refused if its type is "%s"',
    async (type) => {
      const { send, stored } = await start();
      expect(await send(JSON.stringify(event('Ev1')), type)).toMatchObject({ status: 400 });
      expect(await stored()).toEqual([]);
    },
  );

  it('is answered with its challenge, and if it checks the certificate', async () => {
    const { send, sendJson } = await start();
    const answer = await sendJson({ type: 'url_verification', challenge: 'c-1', token: 'x' });
    expect(answer).toMatchObject({ status: 200, body: '{"challenge":"c-1"}' });
    expect(await send('ssl_check=1&token=x', FORM_TYPE)).toMatchObject({ status: 200, body: '' });
  });
});
