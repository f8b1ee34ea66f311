import { expect, test } from 'vitest';
import { goThrough, startProxy } from '../stand-ins/proxy/proxy.ts';
import { closedPort, json, startServer, startSocketServer } from './local-server.ts';
import { selfSignedCertificate } from './self-signed-certificate.ts';
import { clientOf, failureOf, NEW_CARD } from './test-client.ts';
import { TRUSTED } from './trusted-certificate.ts';

const created = json(200, { data: { id: 'c1' } });
const hostOf = (url: string) => new URL(url).host;

test('a card is created through the proxy, and read through it', async () => {
  const server = await startServer(created, TRUSTED);
  const proxy = await startProxy();
  goThrough(proxy);
  const client = clientOf(server.baseUrl);
  expect(await client.createCard(NEW_CARD)).toEqual({ cardId: 'c1' });
  await failureOf(client.listBrands());
  const host = hostOf(server.baseUrl);
  expect(proxy.passedTo(host)).toEqual([`CONNECT ${host}`, `CONNECT ${host}`]);
  expect(server.requests.map(({ method }) => method)).toEqual(['POST', 'GET']);
});

test('a host in NO_PROXY is reached without the proxy', async () => {
  const server = await startServer(created, TRUSTED);
  const proxy = await startProxy();
  goThrough(proxy, { NO_PROXY: 'elsewhere.example,127.0.0.1' });
  expect(await clientOf(server.baseUrl).createCard(NEW_CARD)).toEqual({ cardId: 'c1' });
  expect(proxy.passedTo(hostOf(server.baseUrl))).toEqual([]);
});

test('http goes through it, too', async () => {
  const server = await startServer(created);
  const proxy = await startProxy();
  goThrough(proxy);
  expect(await clientOf(server.baseUrl).createCard(NEW_CARD)).toEqual({ cardId: 'c1' });
  expect(proxy.passedTo(hostOf(server.baseUrl))).toEqual([
    `POST http://${hostOf(server.baseUrl)}/card`,
  ]);
});

test.each(['close', 'reset', 'hang', 403, 407, 502] as const)(
  'nothing was sent if the proxy’s way of refusing a tunnel is: %s',
  async (manner) => {
    const server = await startServer(created, TRUSTED);
    const proxy = await startProxy();
    proxy.manner = manner;
    goThrough(proxy);
    const timeouts = { connect: 100 };
    const error = await failureOf(clientOf(server.baseUrl, { timeouts }).createCard(NEW_CARD));
    expect(error).toMatchObject({ code: 'not_sent' });
    expect(String(error.cause)).not.toContain('corporate');
    expect(proxy.passedTo(hostOf(server.baseUrl))).toHaveLength(1);
    expect(server.requests).toEqual([]);
  },
);

test('nothing was sent if the proxy refuses the credentials', async () => {
  const server = await startServer(created, TRUSTED);
  const proxy = await startProxy();
  goThrough({ ...proxy, url: proxy.url.replace('corporate', 'somebody') });
  const error = await failureOf(clientOf(server.baseUrl).createCard(NEW_CARD));
  expect(error).toMatchObject({ code: 'not_sent', cause: expect.stringContaining('407') });
  expect(proxy.passedTo(hostOf(server.baseUrl))).toEqual([]);
});

test('nothing was sent if there is no proxy', async () => {
  const server = await startServer(created, TRUSTED);
  const proxy = await startProxy();
  goThrough({ ...proxy, url: `http://127.0.0.1:${await closedPort()}` });
  const error = await failureOf(clientOf(server.baseUrl).createCard(NEW_CARD));
  expect(error).toMatchObject({
    code: 'not_sent',
    cause: expect.stringContaining('ECONNREFUSED'),
  });
});

test('nothing was sent if the certificate behind the proxy isn’t trusted', async () => {
  const server = await startServer(created, selfSignedCertificate());
  const proxy = await startProxy();
  goThrough(proxy);
  const error = await failureOf(clientOf(server.baseUrl).createCard(NEW_CARD));
  expect(error).toMatchObject({ code: 'not_sent' });
  expect(server.requests).toEqual([]);
});

test('nothing was sent if the service breaks off the handshake behind the proxy', async () => {
  const port = await startSocketServer((socket) => socket.once('data', () => socket.end()));
  const proxy = await startProxy();
  goThrough(proxy);
  const error = await failureOf(clientOf(`https://127.0.0.1:${port}`).createCard(NEW_CARD));
  expect(error).toMatchObject({ code: 'not_sent' });
});

test.each([
  ['http', undefined],
  ['https', TRUSTED],
])(
  'the outcome is unknown if %s breaks off behind the proxy after the request',
  async (_, cert) => {
    const server = await startServer((_response, _request, socket) => {
      socket.resetAndDestroy();
    }, cert);
    const proxy = await startProxy();
    goThrough(proxy);
    const error = await failureOf(clientOf(server.baseUrl).createCard(NEW_CARD));
    expect(error).toMatchObject({ code: 'outcome_unknown' });
    expect(server.requests).toHaveLength(1);
  },
);
