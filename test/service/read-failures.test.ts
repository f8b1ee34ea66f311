import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { DesignApi } from '../../src/service/client.ts';
import { freePort } from '../free-port.ts';
import { json, raw, startServer } from './local-server.ts';
import { clientOf, failureOf, NEW_CARD } from './test-client.ts';

const ERROR_BODY = { status: false, message: 'Not so', error: 'Some label', statusCode: 400 };
const MIB = 1024 * 1024;
const GZIP = { 'content-encoding': 'gzip' };
const UNPACKS_TO_64_MIB = gzipSync(Buffer.alloc(64 * MIB));

test.each([
  [400, 'invalid_request'],
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [404, 'not_found'],
  [410, 'not_found'],
  [409, 'invalid_request'],
])('%i means %s and is not retried', async (status, code) => {
  const server = await startServer(json(status, { ...ERROR_BODY, details: { title: 'too long' } }));
  expect(await failureOf(clientOf(server.baseUrl).getCard('c'))).toMatchObject({
    code,
    status,
    operation: 'getCard',
    serviceMessage: 'Not so',
    details: { title: 'too long' },
  });
  expect(server.requests).toHaveLength(1);
});

test.each([400, 401, 403, 404])(
  '%i from something other than the service refuses nothing',
  async (status) => {
    for (const [answer, seen] of [
      [raw(status, '<html>', { 'content-type': 'text/html' }), 'with a web page'],
      [raw(status, 'Forbidden'), 'without JSON'],
      [raw(status, ''), 'without JSON'],
      [raw(status, '{"message":"Not', { 'content-type': 'application/json' }), 'without JSON'],
      [json(status, 'Unauthorized'), 'with other JSON'],
      [json(status, { ok: false, error: 'login_required' }), 'with other JSON'],
      [json(status, [ERROR_BODY]), 'with other JSON'],
    ] as const) {
      const server = await startServer(answer);
      const error = await failureOf(clientOf(server.baseUrl).getCard('c'));
      const misdirection = `HTTP ${status} ${seen}`;
      expect(error).toMatchObject({ code: 'unreadable_answer', status, misdirection });
      expect(server.requests).toHaveLength(1);
    }
  },
);

test.each([
  ['a web page with 503', raw(503, '<html>', { 'content-type': 'text/html' })],
  ['a card that is a list', json(200, { data: [] })],
  ['an answer that is too large', raw(200, `"${'x'.repeat(MIB)}"`)],
])('%s can be the service’s', async (_, answer) => {
  const server = await startServer(answer);
  const error = await failureOf(clientOf(server.baseUrl).getCard('c'));
  expect(error.misdirection).toBeUndefined();
});

test.each([
  ['nested objects', { a: { b: 'bad', c: ['x', 1] }, d: true }, { a: 'bad; x; 1', d: 'true' }],
  ['a list', ['bad', { field: 'title', message: 'empty' }], { 0: 'bad', 1: 'title; empty' }],
  ['nulls', { title: null }, undefined],
])('details given as %s are accepted', async (_, details, expected) => {
  const server = await startServer(json(400, { ...ERROR_BODY, details }));
  expect((await failureOf(clientOf(server.baseUrl).getCard('c'))).details).toEqual(expected);
});

test('the service’s message is shortened', async () => {
  const details = Object.fromEntries(
    Array.from({ length: 200 }, (_, i) => [`f${i}`, 'y'.repeat(999)]),
  );
  const server = await startServer(json(400, { message: 'x'.repeat(9_000), details }));
  const error = await failureOf(clientOf(server.baseUrl).getCard('c'));
  expect(error.serviceMessage).toHaveLength(300);
  expect(Object.keys(error.details ?? {})).toHaveLength(50);
  expect(error.details?.f0).toHaveLength(300);
});

test.each([
  [503, 'unavailable', raw(503, '<h1>Bad gateway</h1>')],
  [408, 'timed_out', json(408, ERROR_BODY)],
])('%i is tried four times and then reported as %s', async (status, code, answer) => {
  const server = await startServer(answer);
  const error = await failureOf(clientOf(server.baseUrl).getCard('c'));
  expect(error).toMatchObject({ code, status });
  expect(server.requests).toHaveLength(4);
});

test('a read succeeds when a failing service recovers, and each retry passed the gate', async () => {
  const passed: string[] = [];
  let call = 0;
  const server = await startServer((response, request, socket) => {
    call += 1;
    if (call === 1) return raw(503, '')(response, request, socket);
    if (call === 2) return void socket.resetAndDestroy();
    if (call === 3) {
      response.writeHead(200, { 'content-length': 100 });
      response.write('{"data":');
      return void setImmediate(() => socket.resetAndDestroy());
    }
    return json(200, { data: { id: 'c', title: 'There' } })(response, request, socket);
  });
  const client = clientOf(server.baseUrl, {
    gate: ({ operation }, make) => {
      passed.push(operation);
      return make();
    },
  });
  expect(await client.getCard('c')).toMatchObject({ title: 'There' });
  expect(passed).toEqual(['getCard', 'getCard', 'getCard', 'getCard']);
});

test('a refused connection is reported as unavailable, a service that never answers as timed out after four attempts', async () => {
  const refused = clientOf(`http://127.0.0.1:${await freePort()}`);
  const error = await failureOf(refused.listTags());
  expect(error).toMatchObject({ code: 'unavailable', cause: 'ECONNREFUSED' });
  const silent = await startServer(() => undefined);
  const client = clientOf(silent.baseUrl, { timeouts: { get: 60, retryBase: 5 } });
  expect(await failureOf(client.listTags())).toMatchObject({ code: 'timed_out' });
  expect(silent.requests).toHaveLength(4);
});

test.each([
  ['an answer', () => undefined],
  ['its last byte', (response: ServerResponse) => void response.writeHead(200).write('{')],
])('waiting in vain for %s is the service’s failure, leaving isn’t', async (_, answer) => {
  const { baseUrl } = await startServer(answer);
  const faults: unknown[] = [];
  const client = clientOf(baseUrl, {
    async gate(_call, make) {
      const made = await make();
      faults.push(made.kind === 'fault' ? made.fault : made.broken?.fault);
      return made;
    },
  });
  await failureOf(client.getCard('c', { signal: AbortSignal.timeout(100) }));
  const leaving = new AbortController();
  setTimeout(() => leaving.abort(), 100);
  await failureOf(client.getCard('c', { signal: leaving.signal }));
  expect(faults).toEqual(['timed_out', 'aborted']);
});

test.each([
  ['a read', 10, 'timed_out', (client: DesignApi) => client.listTags()],
  ['a creation', 30, 'outcome_unknown', (client: DesignApi) => client.createCard(NEW_CARD)],
] as const)('%s waits %i seconds for an answer', async (_what, seconds, code, begin) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const arrived = Promise.withResolvers<void>();
  const server = await startServer(() => arrived.resolve());
  let passes = 1;
  const client = clientOf(server.baseUrl, {
    async gate(_call, make) {
      passes -= 1;
      if (passes < 0) throw new Error('no second attempt');
      return make();
    },
  });
  const ended = vi.fn();
  const failure = failureOf(begin(client)).finally(ended);
  await arrived.promise;
  await vi.advanceTimersByTimeAsync((seconds - 1) * 1_000);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await failure).toMatchObject({ code });
});

test.each([
  ['an HTML page', raw(200, '<html>', { 'content-type': 'text/html' })],
  ['truncated JSON', raw(200, '{"data":{"id":"c"', { 'content-type': 'application/json' })],
  ['an empty body', raw(200, '')],
  ['204', raw(204, '')],
  ['no data', json(200, { status: true, message: 'fine' })],
  ['broken gzip', raw(200, 'not gzip', GZIP)],
  ['broken brotli', raw(200, 'not brotli', { 'content-encoding': 'br' })],
  ['broken zstd', raw(200, 'not zstd', { 'content-encoding': 'zstd' })],
  ['unknown compression', raw(200, 'packed', { 'content-encoding': 'unheard-of' })],
  ['304', raw(304, '')],
  ['an answer announced as too large', raw(200, `"${'x'.repeat(MIB)}"`)],
  ['an answer that unpacks to too much', raw(200, UNPACKS_TO_64_MIB, GZIP)],
])('%s is an unreadable answer and not retried', async (_, answer) => {
  const server = await startServer(answer);
  const error = await failureOf(clientOf(server.baseUrl).getCard('c'));
  expect(error.code).toBe('unreadable_answer');
  expect(server.requests).toHaveLength(1);
});

test.each([
  [
    'JSON under another content type, even with a byte order mark,',
    raw(200, '\ufeff{"data":{"title":"T"}}', { 'content-type': 'text/html' }),
  ],
  ['a compressed answer', raw(200, gzipSync('{"data":{"title":"T"}}'), GZIP)],
])('%s is read', async (_, answer) => {
  const server = await startServer(answer);
  expect(await clientOf(server.baseUrl).getCard('c')).toMatchObject({ title: 'T' });
});

test('an answer slightly below the limit is read', async () => {
  const server = await startServer(json(200, { data: { description: 'x'.repeat(MIB - 100) } }));
  expect((await clientOf(server.baseUrl).getCard('c')).descriptionHtml).toHaveLength(MIB - 100);
});

test('an endless answer is dropped at the limit', async () => {
  let written = 0;
  const server = await startServer((response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const chunk = 'x'.repeat(MIB / 4);
    const more = () => {
      while (!response.destroyed && response.write(chunk)) written += chunk.length;
      written += chunk.length;
    };
    response.on('drain', more);
    more();
  });
  const error = await failureOf(clientOf(server.baseUrl).getCard('c'));
  expect(error.code).toBe('unreadable_answer');
  expect(written).toBeLessThan(32 * MIB);
});

test('an answer that trickles forever ends with the timeout', async () => {
  const server = await startServer((response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write(' '), 10);
    response.on('close', () => clearInterval(timer));
  });
  const client = clientOf(server.baseUrl, { timeouts: { get: 80, retryBase: 5 } });
  expect(await failureOf(client.getCard('c'))).toMatchObject({ code: 'timed_out' });
});

test('a signal ends a read at once, before, during, and between its attempts', async () => {
  const arrived = new AbortController();
  const server = await startServer(() => arrived.abort());
  const client = clientOf(server.baseUrl);
  const before = await failureOf(client.getCard('c', { signal: AbortSignal.abort() }));
  expect(before.code).toBe('timed_out');
  expect(server.requests).toEqual([]);
  const during = await failureOf(client.getCard('c', { signal: arrived.signal }));
  expect(during.code).toBe('timed_out');
  expect(server.requests).toHaveLength(1);
  const stop = new AbortController();
  const failing = await startServer((...exchange) => {
    exchange[0].on('close', () => setTimeout(() => stop.abort(), 20));
    return raw(500, '')(...exchange);
  });
  const slow = clientOf(failing.baseUrl, { timeouts: { retryBase: 60_000 } });
  const between = await failureOf(slow.getCard('c', { signal: stop.signal }));
  expect(between).toMatchObject({ code: 'unavailable', status: 500 });
  expect(failing.requests).toHaveLength(1);
});
