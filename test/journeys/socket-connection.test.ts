import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import { TRUSTED } from '../service/trusted-certificate.ts';
import { event } from '../slack/intake/deliveries.ts';
import { connectSocket, frame } from '../slack/intake/socket-under-test.ts';
import { goThrough, startProxy } from '../stand-ins/proxy/proxy.ts';
import { openForm } from './form.ts';
import { startWorld } from './world.ts';

const named = (type: unknown) => frame('events_api', event('Ev1', { event: { type } }));

/** Frames that don't come from Slack, or that its client would misread. */
const MALFORMED: [string, string | Buffer][] = [
  ['null', 'null'],
  ['garbage', '{"type":'],
  ['a good frame as bytes', Buffer.from(frame('events_api', event('Ev1')))],
  ['a delivery without a payload', '{"envelope_id":"e","type":"events_api"}'],
  ['an event of null', frame('events_api', null)],
  ['an event of a list', frame('events_api', [])],
  ['a frame named close', '{"type":"close"}'],
  ['a frame named __proto__', frame('__proto__', {})],
  ['a frame that is larger than a body may be', frame('events_api', event('x'.repeat(4_000_000)))],
  ['a delivery without an envelope', JSON.stringify({ type: 'interactive', payload: {} })],
];

/** Events that only the intake can tell apart from Slack's. */
const STRANGE_EVENTS = [
  frame('events_api', {}),
  frame('events_api', { event: null }),
  ...[7, 'error', '__proto__', 'constructor'].map(named),
];

describe('a socket frame', () => {
  it.each(MALFORMED)('%s is ignored, and the next one is handled', async (_name, bad) => {
    const receive = vi.fn(async () => ({ status: 200 }));
    const { send, answers, connection, sockets } = await connectSocket(receive);
    send(bad);
    send(frame('events_api', event('Ev2'), 'envelope-2'));
    await expect.poll(() => answers.length).toBe(1);
    expect(answers[0]?.envelope_id).toBe('envelope-2');
    expect(receive).toHaveBeenCalledExactlyOnceWith(event('Ev2'));
    expect(connection.isConnected()).toBe(true);
    expect(sockets).toHaveLength(1);
  });

  it('that is malformed is logged without its content', async () => {
    const { send, log, answers } = await connectSocket(async () => ({ status: 200 }));
    send('{"type":"events_api","payload":{"text":"a confidential campaign"}}');
    send(frame('events_api', event('Ev2')));
    await expect.poll(() => answers.length).toBe(1);
    expect(log.join('')).toContain('ignored a malformed socket frame');
    expect(log.join('')).not.toContain('confidential');
  });
});

describe('a socket acknowledgment', () => {
  it.each([
    ['a view', { response_action: 'clear' }, { response_action: 'clear' }],
    ['a text', 'Done.', { text: 'Done.' }],
    ['nothing', undefined, {}],
  ])('may carry %s', async (_name, body, payload) => {
    const { send, answers } = await connectSocket(async () => ({ status: 200, body }));
    send(frame('interactive', {}));
    await expect.poll(() => answers).toEqual([{ envelope_id: 'envelope-1', payload }]);
  });

  it.each([400, 404, 500])('is not sent if the intake answers %i', async (status) => {
    const replies = [{ status }, { status: 200 }];
    const { send, answers } = await connectSocket(async () => replies.shift() ?? { status: 200 });
    send(frame('events_api', event('Ev1'), 'refused'));
    send(frame('events_api', event('Ev2'), 'taken'));
    await expect.poll(() => answers.map(({ envelope_id }) => envelope_id)).toEqual(['taken']);
  });

  it('after the socket has closed is only logged', async () => {
    const gate = Promise.withResolvers<void>();
    const receive = vi.fn(async () => {
      await gate.promise;
      return { status: 200 };
    });
    const { send, sockets, log } = await connectSocket(receive);
    send(frame('interactive', {}));
    await expect.poll(() => receive.mock.calls.length).toBe(1);
    sockets[0]?.close();
    await expect.poll(() => sockets.length).toBe(2);
    gate.resolve();
    await expect
      .poll(() => log.join(''))
      .toContain('the socket closed before a delivery was acknowledged');
  });
});

const refusal = (error: string) => ({ body: JSON.stringify({ ok: false, error }) });
const taken = async () => ({ status: 200 });
const disconnect = (reason: string) => JSON.stringify({ type: 'disconnect', reason });

describe('a socket connection', () => {
  it.each(['refresh_requested', 'warning'])(
    'is replaced before it closes if Slack says %s',
    async (reason) => {
      const gate = Promise.withResolvers<void>();
      const { send, sockets, connection, answers } = await connectSocket(async () => {
        await gate.promise;
        return { status: 200 };
      });
      const [old] = sockets;
      const closed = new Promise((resolve) => old?.once('close', () => resolve(sockets.length)));
      send(frame('interactive', {}, 'on-the-old-one'));
      send(disconnect(reason));
      await expect.poll(() => sockets.length).toBe(2);
      expect(connection.isConnected()).toBe(true);
      // A delivery in progress is acknowledged where it arrived.
      gate.resolve();
      expect(await closed).toBe(2);
      expect(answers.map(({ envelope_id }) => envelope_id)).toEqual(['on-the-old-one']);
      send(frame('interactive', {}, 'on-the-new-one'));
      await expect.poll(() => answers.at(-1)?.envelope_id).toBe('on-the-new-one');
      expect(connection.isConnected()).toBe(true);
    },
  );

  it.each(['token_revoked', 'anything_new'])(
    'comes back after Slack has answered %s',
    async (code) => {
      const { sockets, connection, openings, opened, log } = await connectSocket(taken);
      openings.push(refusal(code), refusal(code), refusal(code));
      sockets[0]?.terminate();
      await expect.poll(() => sockets.length).toBe(2);
      await expect.poll(() => connection.isConnected()).toBe(true);
      expect(opened()).toBe(5);
      const told = log.filter((line) => line.includes('"level":"error"'));
      expect(told.map((line) => JSON.parse(line).msg)).toEqual(
        Array(3).fill(expect.stringContaining(`(${code}).`)),
      );
      expect(told[0]).toContain('nothing arrives from Slack');
    },
  );

  it.each([
    ['HTTP 500', { status: 500, body: 'down' }],
    ['a page instead of an answer', { body: '<html>' }],
    ['no address', { body: '{"ok":true}' }],
    [
      'an address that nothing listens on',
      { body: '{"ok":true,"url":"ws://127.0.0.1:2/x"}' },
      'ECONNREFUSED',
    ],
    ['a 429', { status: 429, body: '' }],
  ])('comes back after %s', async (_what, opening, reason: string | RegExp = /"message":"[^"]/) => {
    const { sockets, connection, openings, log } = await connectSocket(taken);
    openings.push(opening, opening);
    sockets[0]?.terminate();
    await expect.poll(() => sockets.length).toBe(2);
    await expect.poll(() => connection.isConnected()).toBe(true);
    const told = log.filter((line) => line.includes("can't be reached over Socket Mode"));
    expect(told).toEqual([expect.stringMatching(reason), expect.stringMatching(reason)]);
  });

  it('without a hello for ten seconds is given up, and another one is opened', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    let sockets: WebSocket[] = [];
    const connecting = connectSocket(taken, (slack) => {
      sockets = slack.sockets;
      slack.withholdHello();
    });
    await expect.poll(() => sockets.length).toBe(1);
    await vi.advanceTimersByTimeAsync(9_000);
    expect(sockets[0]?.readyState).toBe(WebSocket.OPEN);
    await vi.advanceTimersByTimeAsync(1_000);
    await expect.poll(() => sockets[0]?.readyState).toBe(WebSocket.CLOSED);
    const { connection, opened, log } = await connecting;
    expect(connection.isConnected()).toBe(true);
    expect(opened()).toBeGreaterThanOrEqual(2);
    expect(log.join('')).not.toContain('"level":"error"');
  });

  it('is kept as long as it answers pings, and then replaced', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { sockets, pongs, ignorePings, connection, send, answers } = await connectSocket(taken);
    for (let seconds = 5; seconds <= 20; seconds += 5) {
      await vi.advanceTimersByTimeAsync(5_000);
      await expect.poll(pongs).toBe(seconds / 5);
      // By the answer to a later frame, the pong has arrived.
      send(frame('interactive', {}));
      await expect.poll(() => answers.length).toBe(seconds / 5);
    }
    ignorePings();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(sockets).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(5_000);
    await expect.poll(() => sockets.length).toBe(2);
    await expect.poll(() => connection.isConnected()).toBe(true);
  });

  it('starts once Slack answers', async () => {
    const down = { status: 503, body: '' };
    const { connection } = await connectSocket(taken, ({ openings }) => openings.push(down, down));
    expect(connection.isConnected()).toBe(true);
  });

  it('doesn’t start with a token that Slack refuses', async () => {
    await expect(
      connectSocket(taken, ({ openings }) => openings.push(refusal('invalid_auth'))),
    ).rejects.toThrow('Slack refused SLACK_APP_TOKEN (invalid_auth)');
  });

  it('doesn’t start if Slack refuses anything else, and says what', async () => {
    await expect(
      connectSocket(taken, ({ openings }) => openings.push(refusal('forbidden_team'))),
    ).rejects.toThrow('Slack refused a connection for Socket Mode (forbidden_team).');
  });

  it('goes through the proxy, and so does the call that opens it', async () => {
    const proxy = await startProxy();
    goThrough(proxy);
    const { apiUrl, send, answers } = await connectSocket(taken, undefined, TRUSTED);
    send(frame('interactive', {}));
    await expect.poll(() => answers).toHaveLength(1);
    const { host } = new URL(apiUrl);
    expect(proxy.passedTo(host)).toEqual([`CONNECT ${host}`, `CONNECT ${host}`]);
  });
});

describe('the app over a socket', () => {
  it('still opens the form after every malformed frame and strange event', async () => {
    const { world, slack, me } = await startWorld({ transport: 'socket' });
    const bad = [...MALFORMED.map(([, one]) => one), ...STRANGE_EVENTS];
    for (const one of bad) if (typeof one === 'string') slack.sockets.sendRaw(one);
    await openForm(world, me, 'Spring banner');
    expect(me.field('Title').value).toMatchObject({ value: 'Spring banner' });
    expect(slack.sockets.count()).toBe(1);
  });

  it('misses nothing while Slack refreshes its connection', async () => {
    const { world, slack, app, me } = await startWorld({ transport: 'socket' });
    const openings = () =>
      slack.apiCalls.filter(({ method }) => method === 'apps.connections.open');
    slack.sockets.refresh();
    expect(await me.command(world.general, 'help')).toMatchObject({ acknowledged: true });
    await slack.until(() => openings().length === 2, 'the next connection');
    await slack.until(() => slack.sockets.count() === 1, 'the end of the old one');
    expect((await fetch(`${app.url}/readyz`)).status).toBe(200);
    await openForm(world, me, 'Spring banner');
    expect(openings()).toHaveLength(2);
  });
});
