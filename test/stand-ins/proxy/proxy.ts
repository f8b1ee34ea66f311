import { once } from 'node:events';
import { createServer, request as passOn, setGlobalProxyFromEnv } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { onTestFinished } from 'vitest';

/** What the proxy does with whoever asks for a tunnel: opens it, or answers with a status, or doesn't answer. */
type Manner = 'open' | 'close' | 'reset' | 'hang' | 403 | 407 | 502;

export type Proxy = {
  url: string;
  manner: Manner;
  /** What was asked for with this host, as `CONNECT host:port` or `GET http://…`: apps of other tests may still be ending. */
  passedTo(host: string): string[];
};

const USER = 'corporate';
/** Has to be escaped in a URL. */
const PASSWORD = 'pass:w@rd';
const EXPECTED = `Basic ${Buffer.from(`${USER}:${PASSWORD}`).toString('base64')}`;
const AUTHORITY = /^(?:\[[0-9a-f:]+\]|[\w.-]+):\d{1,5}$/;

/**
 * A strict outgoing proxy for one test: it wants credentials, a well-formed target, and the same target in the Host
 * header. Names that end with `.example` lead to this machine.
 */
export async function startProxy(): Promise<Proxy> {
  const passed: string[] = [];
  const sockets = new Set<Duplex>();
  const server = createServer((request, response) => {
    const { method, url = '', headers } = request;
    const refusal = refusalOf(url.startsWith('http://'), headers['proxy-authorization']);
    if (refusal) {
      response.writeHead(refusal).end();
      return;
    }
    passed.push(`${method} ${url}`);
    const target = new URL(url);
    target.hostname = addressOf(target.hostname);
    const onward = passOn(target, { method, headers, agent: false }, (answer) =>
      answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers)),
    );
    request.pipe(onward.on('error', () => response.destroy()));
  });
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => undefined)));
  server.on('connect', ({ url = '', headers }, client) => {
    const isWellFormed = AUTHORITY.test(url) && headers.host === url;
    const refusal = refusalOf(isWellFormed, headers['proxy-authorization']);
    if (refusal) return void client.end(`HTTP/1.1 ${refusal} Refused\r\n\r\n`);
    passed.push(`CONNECT ${url}`);
    if (proxy.manner === 'hang') return;
    if (proxy.manner === 'close') return void client.end();
    if (proxy.manner === 'reset') return void (client as Socket).resetAndDestroy();
    if (proxy.manner !== 'open') return void client.end(`HTTP/1.1 ${proxy.manner} No\r\n\r\n`);
    const [, host = '', port] = /^(.*):(\d+)$/.exec(url) ?? [];
    const target: Socket = connect(Number(port), addressOf(host), () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      target.pipe(client).pipe(target);
    });
    sockets.add(target);
    // What breaks on one side breaks on the other.
    target.on('error', () => (client as Socket).resetAndDestroy());
    client.on('error', () => target.resetAndDestroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const credentials = `${USER}:${encodeURIComponent(PASSWORD)}`;
  const proxy: Proxy = {
    url: `http://${credentials}@127.0.0.1:${port}`,
    manner: 'open',
    passedTo: (host) => passed.filter((line) => line.includes(host)),
  };
  return proxy;
}

function refusalOf(isWellFormed: boolean, credentials: string | undefined) {
  if (!isWellFormed) return 400;
  return credentials === EXPECTED ? undefined : 407;
}

const addressOf = (host: string) => (host.endsWith('.example') ? '127.0.0.1' : host);

/** For one test, makes this process use the proxy, as NODE_USE_ENV_PROXY=1 does at its start. */
export function goThrough(proxy: Proxy, settings: { NO_PROXY?: string } = {}): void {
  onTestFinished(
    setGlobalProxyFromEnv({ HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url, ...settings }),
  );
}
