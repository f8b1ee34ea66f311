import { once } from 'node:events';
import { createServer, globalAgent, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebClient } from '@slack/web-api';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createLog } from '../../../src/ops/logging.ts';
import { httpFetch, slackClientOptions } from '../../../src/slack/client/slack-client.ts';

const PLENTY = { timeoutMs: 10_000 };
const SOON = { timeoutMs: 50 };

/** @returns the URL of a server that answers like this */
async function listen(answer: RequestListener): Promise<URL> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

const halfAnAnswer: RequestListener = (_request, response) =>
  response.writeHead(200, { 'content-length': '1000' }).write('half of it');

describe('a fetch through Node’s HTTP client', () => {
  it('returns an answer, which can be read repeatedly', async () => {
    const url = await listen((_request, response) =>
      response.writeHead(201, 'Made', { 'X-Two-Words': 'yes' }).end('{"a":"ü"}'),
    );
    const response = await httpFetch(url, {}, PLENTY);
    expect(response).toMatchObject({ ok: true, status: 201, statusText: 'Made', url: url.href });
    expect(response.headers.get('x-TWO-words')).toBe('yes');
    expect(response.headers.get('x-missing')).toBeNull();
    expect([...response.headers.entries()]).toContainEqual(['x-two-words', 'yes']);
    expect(await response.text()).toBe('{"a":"ü"}');
    expect(await response.json()).toEqual({ a: 'ü' });
    expect(Buffer.from(await response.arrayBuffer()).toString()).toBe('{"a":"ü"}');
  });

  it('sends the method, the headers, and the body', async () => {
    const url = await listen((request, response) => {
      const { method, headers } = request;
      request.on('data', (body) =>
        response.end(`${method} ${headers.authorization} ${headers['content-length']} ${body}`),
      );
    });
    const init = { method: 'POST', headers: { Authorization: 'Bearer x' }, body: 'ü' };
    const response = await httpFetch(url, init, PLENTY);
    expect(await response.text()).toBe('POST Bearer x 2 ü');
  });

  it('sends no files', async () => {
    const url = await listen((_request, response) => response.end());
    const init = { method: 'POST', body: new FormData() };
    await expect(httpFetch(url, init, PLENTY)).rejects.toThrow('not supported');
  });

  it('passes on the code of the system’s error', async () => {
    const url = await listen((request) => request.socket.destroy());
    await expect(httpFetch(url, {}, PLENTY)).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('rejects a body that is too large, and reads no more of it', async () => {
    const closed = Promise.withResolvers<void>();
    const url = await listen((_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(100_000)));
      };
      response.on('drain', more).on('close', closed.resolve);
      more();
    });
    await expect(httpFetch(url, {}, PLENTY)).rejects.toThrow('exceeds 8388608 bytes');
    await closed.promise;
  });

  it('rejects a body that breaks off', async () => {
    const url = await listen((request, response) => {
      halfAnAnswer(request, response);
      setImmediate(() => response.destroy());
    });
    await expect(httpFetch(url, {}, PLENTY)).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('has a time limit before the answer', async () => {
    const url = await listen(() => undefined);
    await expect(httpFetch(url, {}, SOON)).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('has a time limit until the last byte', async () => {
    const url = await listen(halfAnAnswer);
    await expect(httpFetch(url, {}, SOON)).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('has five seconds in all for a call to Slack', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const arrived = Promise.withResolvers<void>();
    const url = await listen(() => arrived.resolve());
    const apiUrl = `${url}api/`;
    const log = createLog({ level: 'silent' });
    const client = new WebClient('xoxb-1', slackClientOptions({ apiUrl, log }));
    const ended = vi.fn();
    const failure = client.auth.test().catch((error: unknown) => error);
    void failure.then(ended);
    await arrived.promise;
    await vi.advanceTimersByTimeAsync(4_000);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(String(await failure)).toContain('no answer within 5000 ms');
  });

  it('keeps the connection for the next call, even if nobody reads the answer', async () => {
    const url = await listen((_request, response) => response.writeHead(429).end('slower'));
    await httpFetch(url, {}, PLENTY);
    await expect.poll(() => globalAgent.freeSockets[`127.0.0.1:${url.port}:`]).toHaveLength(1);
  });
});
