import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { freePort } from '../free-port.ts';
import { goThrough, startProxy } from '../stand-ins/proxy/proxy.ts';
import { type Answer, json, startServer, startSocketServer } from './local-server.ts';
import { selfSignedCertificate } from './self-signed-certificate.ts';
import { clientOf, failureOf, NEW_CARD } from './test-client.ts';
import { TRUSTED } from './trusted-certificate.ts';

const CREATED = json(200, { data: { id: 'c1' } });
const SHORT = { post: 150, connect: 100 };
/** Over http and https. */
const SCHEMES = [
  ['http', undefined],
  ['https', TRUSTED],
] as const;

const hostOf = (url: string) => new URL(url).host;

async function createAt(baseUrl: string, timeouts = {}) {
  return failureOf(clientOf(baseUrl, { timeouts }).createCard(NEW_CARD));
}

/** A service that does this with each connection, before any TLS. */
const silentService = async (onSocket: (socket: Socket) => unknown) =>
  `https://127.0.0.1:${await startSocketServer((socket) => void onSocket(socket))}`;
const closeAfterHello = (socket: Socket) => socket.once('data', () => socket.end());

async function throughProxy(changes: Partial<Awaited<ReturnType<typeof startProxy>>> = {}) {
  const proxy = Object.assign(await startProxy(), changes);
  goThrough(proxy);
  return proxy;
}

describe.each(SCHEMES)('over %s', (scheme, certificate) => {
  it('a card is created, straight or through a proxy, unless NO_PROXY names the host', async () => {
    const server = await startServer(CREATED, certificate);
    const client = clientOf(server.baseUrl);
    const host = hostOf(server.baseUrl);
    const passed = scheme === 'http' ? `POST ${server.baseUrl}/card` : `CONNECT ${host}`;
    expect(await client.createCard(NEW_CARD)).toEqual({ cardId: 'c1' });
    const proxy = await throughProxy();
    expect(await client.createCard(NEW_CARD)).toEqual({ cardId: 'c1' });
    expect(proxy.passedTo(host)).toEqual([passed]);
    await failureOf(client.listBrands());
    expect(proxy.passedTo(host)).toHaveLength(2);
    goThrough(proxy, { NO_PROXY: 'elsewhere.example,127.0.0.1' });
    await client.createCard(NEW_CARD);
    expect(proxy.passedTo(host)).toHaveLength(2);
    expect(server.requests.map(({ method }) => method)).toEqual(['POST', 'POST', 'GET', 'POST']);
  });

  it('a card is not sent if that is no longer allowed once the connection is open', async () => {
    const server = await startServer(CREATED, certificate);
    const arrived: number[] = [];
    const asked = (may: boolean) => () => {
      arrived.push(server.requests.length);
      return may;
    };
    const withheld = clientOf(server.baseUrl).createCard(NEW_CARD, { maySend: asked(false) });
    expect(await failureOf(withheld)).toMatchObject({ code: 'not_sent', cause: 'WITHHELD' });
    // The next request waits for its answer: anything the first one sent would have arrived before.
    const card = { ...NEW_CARD, description: `<p>${'ä'.repeat(200_000)}</p>` };
    await clientOf(server.baseUrl).createCard(card, { maySend: asked(true) });
    expect([arrived, server.connections(), server.requests.length]).toEqual([[0, 0], 2, 1]);
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({ data: card });
  });

  it('a read is not sent over an open connection if that is no longer allowed', async () => {
    const server = await startServer(json(200, { data: [] }), certificate);
    let mayBeSent = true;
    const client = clientOf(server.baseUrl, { gate: (_call, make) => make(() => mayBeSent) });
    await client.listTags();
    mayBeSent = false;
    expect(await failureOf(client.listTags())).toMatchObject({ cause: 'WITHHELD' });
    mayBeSent = true;
    await client.listTags();
    // The second read and its first retry used the connection that the first read left open.
    expect(server.requests).toHaveLength(2);
  });

  it('a read that was withheld is made again with another grant', async () => {
    const server = await startServer(json(200, { data: [] }), certificate);
    const grants = [false, true];
    const client = clientOf(server.baseUrl, {
      gate(_call, make) {
        const holds = grants.shift() ?? false;
        return make(() => holds);
      },
    });
    expect(await client.listTags()).toEqual([]);
    expect([grants.length, server.requests.length]).toEqual([0, 1]);
  });

  it.each([
    ['is reset', 'ECONNRESET', {}],
    ['stalls', 'ETIMEDOUT (request)', SHORT],
  ] as const)(
    'the outcome is unknown if the connection %s after the request',
    async (how, ...row) => {
      const [cause, timeouts] = row;
      const answer: Answer = (_response, _request, socket) => {
        if (how === 'is reset') socket.resetAndDestroy();
      };
      const straight = await startServer(answer, certificate);
      expect(await createAt(straight.baseUrl, timeouts)).toMatchObject({
        code: 'outcome_unknown',
        cause,
      });
      await throughProxy();
      const behind = await startServer(answer, certificate);
      expect((await createAt(behind.baseUrl, timeouts)).code).toBe('outcome_unknown');
      expect([straight.requests.length, behind.requests.length]).toEqual([1, 1]);
    },
  );
});

it.each<[what: string, service: () => Promise<string>, cause?: string, timeouts?: object]>([
  ['a refused connection', async () => `http://127.0.0.1:${await freePort()}`, 'ECONNREFUSED'],
  ['the same by https', async () => `https://127.0.0.1:${await freePort()}`, 'ECONNREFUSED'],
  ['a name that doesn’t resolve', async () => 'https://design.invalid'],
  [
    'an answer that isn’t TLS',
    () => silentService((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
  ],
  ['a connection closed during the handshake', () => silentService(closeAfterHello)],
  [
    'a reset before the handshake is done',
    () => silentService((socket) => socket.once('data', () => socket.resetAndDestroy())),
    'ECONNRESET',
  ],
  [
    'a handshake that stalls',
    () => silentService(() => undefined),
    'ETIMEDOUT (secureConnect)',
    { connect: 100 },
  ],
  [
    'the overall timeout during the handshake',
    () => silentService(() => undefined),
    'ETIMEDOUT (request)',
    { post: 100 },
  ],
])('%s means that nothing was sent', async (_what, service, cause, timeouts) => {
  const error = await createAt(await service(), timeouts);
  expect(error).toMatchObject({ code: 'not_sent', ...(cause ? { cause } : {}) });
});

it.each(['straight', 'behind a proxy'])(
  'an untrusted certificate %s means that nothing was sent',
  async (where) => {
    if (where === 'behind a proxy') await throughProxy();
    const server = await startServer(json(200, {}), selfSignedCertificate());
    expect(await createAt(server.baseUrl)).toMatchObject({ code: 'not_sent' });
    expect([server.connections(), server.requests]).toEqual([1, []]);
  },
);

it.each(['close', 'reset', 'hang', 403, 407, 502] as const)(
  'nothing was sent if the proxy’s way of refusing a tunnel is: %s',
  async (manner) => {
    const server = await startServer(CREATED, TRUSTED);
    const proxy = await throughProxy({ manner });
    const error = await createAt(server.baseUrl, { connect: 100 });
    expect(error).toMatchObject({ code: 'not_sent' });
    expect(String(error.cause)).not.toContain('corporate');
    expect(proxy.passedTo(hostOf(server.baseUrl))).toHaveLength(1);
    expect(server.requests).toEqual([]);
  },
);

it('nothing was sent if the proxy refuses the credentials, is gone, or the service breaks off behind it', async () => {
  const { baseUrl, requests } = await startServer(CREATED, TRUSTED);
  const because = (words: string) => ({ code: 'not_sent', cause: expect.stringContaining(words) });
  const proxy = await startProxy();
  goThrough({ ...proxy, url: proxy.url.replace('corporate', 'somebody') });
  expect(await createAt(baseUrl)).toMatchObject(because('407'));
  goThrough({ ...proxy, url: `http://127.0.0.1:${await freePort()}` });
  expect(await createAt(baseUrl)).toMatchObject(because('ECONNREFUSED'));
  expect([proxy.passedTo(hostOf(baseUrl)), requests]).toEqual([[], []]);
  goThrough(proxy);
  expect(await createAt(await silentService(closeAfterHello))).toMatchObject({ code: 'not_sent' });
});

it.each([
  ['a connection closed without an answer', ''],
  ['an answer that isn’t HTTP', 'hello\n'],
])('%s leaves the outcome unknown', async (_what, answer) => {
  const port = await startSocketServer((socket) => socket.once('data', () => socket.end(answer)));
  expect(await createAt(`http://127.0.0.1:${port}`)).toMatchObject({ code: 'outcome_unknown' });
});

it.each([
  ['drops', 201, undefined],
  ['stalls', 200, undefined],
  ['drops', 400, 'outcome_unknown'],
  ['stalls', 500, 'outcome_unknown'],
] as const)('an answer whose body %s is judged by its status %i', async (how, status, code) => {
  const server = await startServer((response, _request, socket) => {
    response.writeHead(status, { 'content-length': 50 });
    response.write('{"data":');
    if (how === 'drops') setTimeout(() => socket.resetAndDestroy(), 30);
  });
  const creation = clientOf(server.baseUrl, { timeouts: SHORT }).createCard(NEW_CARD);
  if (code === undefined) expect(await creation).toEqual({ cardId: undefined });
  else expect(await failureOf(creation)).toMatchObject({ code, status });
  expect(server.requests).toHaveLength(1);
});
