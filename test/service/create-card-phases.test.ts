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

test('an answer that isn’t TLS means that nothing was sent', async () => {
  const port = await startSocketServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  expect(await createAt(`https://127.0.0.1:${port}`)).toMatchObject({ code: 'not_sent' });
});

test('a connection closed during the handshake means that nothing was sent', async () => {
  const port = await startSocketServer((socket) => socket.once('data', () => socket.end()));
  expect(await createAt(`https://127.0.0.1:${port}`)).toMatchObject({ code: 'not_sent' });
});

test('ECONNRESET before the handshake is done means that nothing was sent', async () => {
  const port = await startSocketServer((socket) =>
    socket.once('data', () => socket.resetAndDestroy()),
  );
  const error = await createAt(`https://127.0.0.1:${port}`);
  expect(error).toMatchObject({ code: 'not_sent', cause: 'ECONNRESET' });
});

test.each([
  ['http', undefined],
  ['https', TRUSTED],
])('ECONNRESET after the request was read over %s leaves the outcome unknown', async (_, cert) => {
  const server = await startServer(
    (_response, _request, socket) => socket.resetAndDestroy() && undefined,
    cert,
  );
  const error = await createAt(server.baseUrl);
  expect(error).toMatchObject({ code: 'outcome_unknown', cause: 'ECONNRESET' });
  expect(server.requests).toHaveLength(1);
});

test('ETIMEDOUT before the handshake is done means that nothing was sent', async () => {
  const port = await startSocketServer(() => {});
  const error = await createAt(`https://127.0.0.1:${port}`, SHORT);
  expect(error).toMatchObject({ code: 'not_sent', cause: 'ETIMEDOUT (secureConnect)' });
});

test('the overall timeout during the handshake means that nothing was sent', async () => {
  const port = await startSocketServer(() => {});
  const error = await createAt(`https://127.0.0.1:${port}`, { post: 100 });
  expect(error).toMatchObject({ code: 'not_sent', cause: 'ETIMEDOUT (request)' });
});

test.each([
  ['http', undefined],
  ['https', TRUSTED],
])('ETIMEDOUT after the request was read over %s leaves the outcome unknown', async (_, cert) => {
  const server = await startServer(() => {}, cert);
  const error = await createAt(server.baseUrl, SHORT);
  expect(error).toMatchObject({ code: 'outcome_unknown', cause: 'ETIMEDOUT (request)' });
  expect(server.requests).toHaveLength(1);
});

test('a connection closed without an answer leaves the outcome unknown', async () => {
  const port = await startSocketServer((socket) => socket.once('data', () => socket.end()));
  expect(await createAt(`http://127.0.0.1:${port}`)).toMatchObject({ code: 'outcome_unknown' });
});

test('an answer that isn’t HTTP leaves the outcome unknown', async () => {
  const port = await startSocketServer((socket) =>
    socket.once('data', () => socket.end('hello\n')),
  );
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
