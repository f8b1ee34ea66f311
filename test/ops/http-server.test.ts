import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  createHttpServer,
  type HttpTimeouts,
  type Routes,
  send,
} from '../../src/ops/http-server.ts';
import { connectTo } from '../service/local-server.ts';
import { logTo } from '../store/stores-under-test.ts';

async function listen(routes: Routes, timeouts: Partial<HttpTimeouts> = {}) {
  const lines: string[] = [];
  const log = logTo(lines);
  const server = createHttpServer({ host: '127.0.0.1', port: 0, routes, log, timeouts });
  const url = await server.listen();
  onTestFinished(() => server.close());
  return { server, url, lines };
}

const hello: Routes = {
  'GET /hello': async (_request, response) => send(response, 200, { hello: 'world' }),
};

describe('the HTTP server', () => {
  it.each(['GET /', 'GET /constructor', 'POST /hello', 'DELETE /hello'])(
    'answers 404 to %s',
    async (request) => {
      const [method = '', path = ''] = request.split(' ');
      const { url } = await listen(hello);
      const response = await fetch(url + path, { method });
      expect([response.status, await response.json()]).toEqual([404, { error: 'not_found' }]);
    },
  );

  it.each([
    '//',
    '//x',
    '/%',
    '*',
    'http://',
    'http://[',
    '/\\',
    'http:///',
    'http://hello',
    '/helloo',
  ])('answers GET %s and keeps running', async (target) => {
    const { url } = await listen(hello);
    const { socket, all } = connectTo(url);
    socket.end(`GET ${target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
    expect(await all).toMatch(/^HTTP\/1\.1 40[04] /);
    expect((await fetch(`${url}/hello`)).status).toBe(200);
  });

  it('answers 500 if a handler throws, and gives the reason only in the log', async () => {
    const { url, lines } = await listen({
      'GET /broken': () => Promise.reject(new Error('what only operators read')),
    });
    const response = await fetch(`${url}/broken`);
    expect(response.status).toBe(500);
    expect(await response.text()).toBe('{"error":"internal_error"}');
    expect(lines.join('')).toContain('what only operators read');
  });

  it('cuts off an answer that fails midway', async () => {
    const { url, lines } = await listen({
      'GET /broken': async (_request, response) => {
        response.writeHead(200, { 'content-length': 100 }).write('the beginning');
        throw new Error('midway');
      },
    });
    await expect(fetch(`${url}/broken`).then((response) => response.text())).rejects.toThrow();
    expect(lines.join('')).toContain('midway');
  });
});

it.each([
  ['headers', 'GET /hello HTTP/1.1\r\nhost: x\r\n', /^HTTP\/1\.1 408 /],
  ['body', 'POST /hello HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nabc', /^(?!.*200)/s],
])('a slow sender is cut off while sending its %s', async (what, sent, answer) => {
  const reading = vi.fn();
  const routes: Routes = {
    'POST /hello': async (request, response) => {
      reading();
      for await (const _chunk of request);
      send(response, 200);
    },
  };
  const { url } = await listen(routes, { headers: 50, request: 50 });
  const { socket, all } = connectTo(url);
  socket.write(sent);
  expect(await all).toMatch(answer);
  expect(reading).toHaveBeenCalledTimes(what === 'body' ? 1 : 0);
});

/** More than the buffers of both ends of a connection on this machine take; two are more than may wait to be read. */
const LARGE = 'x'.repeat(12 * 1024 * 1024);

/** What is needed to hold answers: a route with a large one, and clients that never read it. */
async function unreadAnswers() {
  const asked: Socket[] = [];
  const routes: Routes = {
    ...hello,
    'GET /large': async ({ socket }, response) => {
      asked.push(socket);
      send(response, 200, LARGE);
    },
    'GET /never': ({ socket }) => {
      asked.push(socket);
      return new Promise(() => undefined);
    },
  };
  const { url } = await listen(routes);
  const ask = (path = '/large', requests = 1) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1').pause();
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => undefined);
    socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(requests));
    return socket;
  };
  /** The server's ends of connections, in the order of requests. */
  const arrived = (count: number) =>
    vi.waitFor(() => {
      expect(asked).toHaveLength(count);
      return asked;
    });
  const closed = (socket: Socket | undefined) =>
    vi.waitFor(() => expect(socket?.closed).toBe(true));
  return { url, ask, arrived, closed, asked };
}

describe('a client that doesn’t read its answers', () => {
  it('gets a few requests in one piece answered, in their order', async () => {
    const { url } = await listen(hello);
    const { socket, all } = connectTo(url);
    const request = (path: string, end = '') => `GET ${path} HTTP/1.1\r\nhost: x\r\n${end}\r\n`;
    socket.write(request('/hello') + request('/none') + request('/hello', 'connection: close\r\n'));
    expect([...(await all).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
      '200',
      '404',
      '200',
    ]);
  });

  it('loses its connection with one request too many, and the others are not even read', async () => {
    const read = vi.fn();
    subscribe('http.server.request.start', read);
    onTestFinished(() => void unsubscribe('http.server.request.start', read));
    const { url, ask, asked, arrived, closed } = await unreadAnswers();
    ask('/never', 1_000);
    const [socket] = await arrived(8);
    await closed(socket);
    expect(asked).toHaveLength(8);
    expect(read).toHaveBeenCalledTimes(9);
    expect((await fetch(`${url}/hello`)).status).toBe(200);
  });

  it('loses its connection after ten seconds', async () => {
    const { ask, arrived } = await unreadAnswers();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    ask();
    const [socket] = await arrived(1);
    await vi.advanceTimersByTimeAsync(9_000);
    expect(socket?.destroyed).toBe(false);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(socket?.destroyed).toBe(true);
  });

  it('loses its connection when all such answers together are too large, the oldest first', async () => {
    const { ask, arrived, closed } = await unreadAnswers();
    ask();
    await arrived(1);
    const second = ask();
    const [first] = await arrived(2);
    await closed(first);
    let bytes = 0;
    second.resume().on('data', (chunk) => {
      bytes += chunk.length;
    });
    await vi.waitFor(() => expect(bytes).toBeGreaterThan(LARGE.length));
  });

  it('doesn’t count answers that are read', async () => {
    const { url } = await unreadAnswers();
    for (let count = 0; count < 4; count += 1) {
      expect((await (await fetch(`${url}/large`)).text()).length).toBe(LARGE.length);
    }
  });
});

it('many connections of one address take each other’s places, and nobody else’s', async () => {
  const { url } = await listen(hello);
  const { port } = new URL(url);
  const from = (localAddress: string) => {
    const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress });
    const closed = vi.fn();
    socket.on('error', () => undefined).on('close', closed);
    onTestFinished(() => void socket.destroy());
    return { socket, closed, opened: once(socket, 'connect') };
  };
  const other = from('127.0.0.2');
  await other.opened;
  const flood: (typeof other)[] = [];
  for (let count = 0; count < 1_001; count += 1) {
    const one = from('127.0.0.1');
    await one.opened;
    flood.push(one);
  }
  await vi.waitFor(() =>
    expect(flood.map(({ closed }) => closed.mock.calls.length)).toEqual([
      1,
      1,
      ...Array<number>(999).fill(0),
    ]),
  );
  expect(other.closed).not.toHaveBeenCalled();
});

describe('closing the server', () => {
  /** A client that would keep its connection for the next request. */
  async function ask(url: string): Promise<IncomingMessage> {
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    const [response] = await once(get(url, { agent }), 'response');
    return response;
  }

  it.each([
    ['a request in progress be answered', ''],
    ['an answer that has begun be completed', 'half, '],
  ])('lets %s, then ends its connection', async (_what, begun) => {
    const gate = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    const slow: Routes = {
      'GET /slow': async (_request, response) => {
        if (begun) response.writeHead(200).write(begun);
        arrived.resolve();
        await gate.promise;
        response.end('and half');
      },
    };
    const { server, url } = await listen(slow, { drain: 60_000 });
    const asking = ask(`${url}/slow`);
    await arrived.promise;
    if (begun) await asking;
    const closed = server.close();
    await expect(fetch(`${url}/slow`)).rejects.toThrow();
    gate.resolve();
    expect(await text(await asking)).toBe(`${begun}and half`);
    await closed;
  });

  it('ends idle connections', async () => {
    const { server, url } = await listen(hello);
    await text(await ask(`${url}/hello`));
    await server.close();
    await expect(fetch(`${url}/hello`)).rejects.toThrow();
  });

  it('doesn’t wait forever for a request that never finishes', async () => {
    const { server, url } = await listen(hello, { drain: 50 });
    const { socket, all } = connectTo(url);
    await new Promise<void>((resolve) => socket.write('GET /hello HTTP/1.1\r\n', () => resolve()));
    await server.close();
    expect(await all).toBe('');
  });
});

describe('an HTTP answer', () => {
  it.each([
    ['nothing', undefined, '', null],
    ['an empty text', '', '', null],
    ['a text', 'fine', 'fine', 'text/plain; charset=utf-8'],
    ['an object', { text: 'ü' }, '{"text":"ü"}', 'application/json; charset=utf-8'],
    ['a list', [], '[]', 'application/json; charset=utf-8'],
  ])('may be %s', async (_name, body, text, type) => {
    const { url } = await listen({
      'GET /': async (_request, response) => send(response, 200, body),
    });
    const response = await fetch(url);
    expect(response.headers.get('content-type')).toBe(type);
    expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
    expect(await response.text()).toBe(text);
  });
});

describe('whatever monitors and load balancers send', () => {
  /** The status line and body of the answer to a request as it is on the wire. */
  async function answerTo(url: string, head: string): Promise<string> {
    const { socket, all } = connectTo(url);
    socket.write(`${head}\r\n\r\n`);
    return all;
  }

  it.each([
    ['HTTP/1.1 without a host', 'GET /hello HTTP/1.1\r\nConnection: close'],
    ['a host that is none', 'GET /hello HTTP/1.1\r\nHost: _ %\r\nConnection: close'],
    ['a query', 'GET /hello?probe=1 HTTP/1.0'],
    ['a slash at the end', 'GET /hello/ HTTP/1.0'],
    ['two slashes', 'GET //hello HTTP/1.0'],
    ['an absolute address with a query', 'GET https://app.example.com:443/hello?x HTTP/1.0'],
    [
      'a body',
      'GET /hello HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}',
    ],
  ])('is answered: %s', async (_what, head) => {
    const { url } = await listen(hello);
    const answer = await answerTo(url, head);
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(answer).toMatch(/\r\n\r\n\{"hello":"world"\}$/);
  });

  it('HEAD is answered like GET, without the body', async () => {
    const { url } = await listen(hello);
    for (const version of ['1.0', '1.1']) {
      const head = `HEAD /hello HTTP/${version}\r\nHost: x\r\nConnection: close`;
      const answer = await answerTo(url, head);
      expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n.*content-length: 17\r\n.*\r\n\r\n$/is);
    }
  });

  it('OPTIONS is answered with what is allowed', async () => {
    const { url } = await listen(hello);
    const answer = await fetch(`${url}/hello`, { method: 'OPTIONS' });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    expect((await fetch(`${url}/nothing`, { method: 'OPTIONS' })).status).toBe(404);
  });
});
