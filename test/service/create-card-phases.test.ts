import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { closedPort, json, startServer, startSocketServer } from './local-server.ts';
import { selfSignedCertificate } from './self-signed-certificate.ts';
import { clientOf, failureOf, NEW_CARD } from './test-client.ts';
import { TRUSTED } from './trusted-certificate.ts';

const SHORT = { post: 150, connect: 100 };

async function createAt(baseUrl: string, timeouts = {}) {
  return failureOf(clientOf(baseUrl, { timeouts }).createCard(NEW_CARD));
}

test('a card is created over https', async () => {
  const server = await startServer(json(200, { data: { id: 'c1' } }), TRUSTED);
  expect(await clientOf(server.baseUrl).createCard(NEW_CARD)).toEqual({ cardId: 'c1' });
});

test('a refused connection means that nothing was sent', async () => {
  const port = await closedPort();
  for (const scheme of ['http', 'https']) {
    const error = await createAt(`${scheme}://127.0.0.1:${port}`);
    expect(error).toMatchObject({ code: 'not_sent', cause: 'ECONNREFUSED' });
  }
});

test('a name that doesn’t resolve means that nothing was sent', async () => {
  const error = await createAt('https://design.invalid');
  expect(error).toMatchObject({ code: 'not_sent' });
});

test('an untrusted certificate means that nothing was sent', async () => {
  const server = await startServer(json(200, {}), selfSignedCertificate());
  const error = await createAt(server.baseUrl);
  expect(error).toMatchObject({ code: 'not_sent' });
  expect(server.connections()).toBe(1);
  expect(server.requests).toEqual([]);
});

test.each<[what: string, answer: (socket: Socket) => unknown, cause?: string, timeouts?: object]>([
  ['an answer that isn’t TLS', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ['a connection closed during the handshake', (socket) => socket.once('data', () => socket.end())],
  [
    'ECONNRESET before the handshake is done',
    (socket) => socket.once('data', () => socket.resetAndDestroy()),
    'ECONNRESET',
  ],
  ['ETIMEDOUT before the handshake is done', () => {}, 'ETIMEDOUT (secureConnect)', SHORT],
  ['the overall timeout during the handshake', () => {}, 'ETIMEDOUT (request)', { post: 100 }],
])('%s means that nothing was sent', async (_what, answer, cause, timeouts = {}) => {
  const port = await startSocketServer((socket) => void answer(socket));
  const error = await createAt(`https://127.0.0.1:${port}`, timeouts);
  expect(error).toMatchObject({ code: 'not_sent', ...(cause ? { cause } : {}) });
});

test.each([
  ['ECONNRESET', 'http', undefined, 'ECONNRESET'],
  ['ECONNRESET', 'https', TRUSTED, 'ECONNRESET'],
  ['ETIMEDOUT', 'http', undefined, 'ETIMEDOUT (request)'],
  ['ETIMEDOUT', 'https', TRUSTED, 'ETIMEDOUT (request)'],
])('%s after the request was read over %s leaves the outcome unknown', async (...row) => {
  const [how, , certificate, cause] = row;
  const server = await startServer((_response, _request, socket) => {
    if (how === 'ECONNRESET') socket.resetAndDestroy();
  }, certificate);
  const error = await createAt(server.baseUrl, how === 'ETIMEDOUT' ? SHORT : {});
  expect(error).toMatchObject({ code: 'outcome_unknown', cause });
  expect(server.requests).toHaveLength(1);
});

test.each([
  ['a connection closed without an answer', ''],
  ['an answer that isn’t HTTP', 'hello\n'],
])('%s leaves the outcome unknown', async (_what, answer) => {
  const port = await startSocketServer((socket) => socket.once('data', () => socket.end(answer)));
  expect(await createAt(`http://127.0.0.1:${port}`)).toMatchObject({ code: 'outcome_unknown' });
});

test.each([
  ['drops', 201, undefined],
  ['stalls', 200, undefined],
  ['drops', 400, 'outcome_unknown'],
  ['stalls', 500, 'outcome_unknown'],
] as const)('an answer whose body %s is judged by its status %i', async (how, status, code) => {
  let calls = 0;
  const server = await startServer((response, _request, socket) => {
    calls += 1;
    response.writeHead(status, { 'content-length': 50 });
    response.write('{"data":');
    if (how === 'drops') setTimeout(() => socket.resetAndDestroy(), 30);
  });
  const creation = clientOf(server.baseUrl, { timeouts: SHORT }).createCard(NEW_CARD);
  if (code === undefined) expect(await creation).toEqual({ cardId: undefined });
  else expect(await failureOf(creation)).toMatchObject({ code, status });
  expect(calls).toBe(1);
});
