import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createConnections } from './connections.ts';
import type { Log } from './logging.ts';

export type Route = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** By method and exact path, as in `GET /healthz`; `/*` at its end stands for all in that folder. */
export type Routes = Record<string, Route>;

/** All in ms. */
const DEFAULT_TIMEOUTS = {
  /** For receiving the headers, and for the whole request. Slack sends requests in one piece. */
  headers: 5_000,
  request: 10_000,
  keepAlive: 60_000,
  /** How long `close` waits for open connections: longer than Slack waits for an answer. */
  drain: 4_000,
};
export type HttpTimeouts = typeof DEFAULT_TIMEOUTS;
/** How often Node checks the timeouts, in ms. Its default of 30 s would triple them. */
const TIMEOUT_CHECK_MS = 500;

export function createHttpServer(options: {
  host: string;
  port: number;
  routes: Routes;
  log: Log;
  timeouts?: Partial<HttpTimeouts>;
  /** Where a proxy may serve the app, for example `/design`. */
  basePath?: string | undefined;
}) {
  const { host, port, routes, log } = options;
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
  const connections = createConnections();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.url = withoutPrefix(request.url ?? '', options.basePath ?? '');
    const path = request.url.split('?')[0] ?? '';
    const folder = path.slice(0, path.indexOf('/', 1) + 1);
    // Monitors may end a path with a slash. A path below a folder may be signed, so it is matched as it was sent.
    const page = path.replace(/(?<!\/)\/+$/, '') || '/';
    const find = (method?: string) =>
      routes[`${method} ${page}`] ?? routes[`${method} ${folder || path}*`];
    const { method } = request;
    // Node leaves out the body of an answer to HEAD.
    const route = find(method) ?? (method === 'HEAD' ? find('GET') : undefined);
    if (route) return route(request, response);
    const allowed = find('GET') ? 'GET, HEAD, OPTIONS' : find('POST') && 'POST, OPTIONS';
    if (method !== 'OPTIONS' || !allowed) return send(response, 404, { error: 'not_found' });
    response.writeHead(204, { allow: allowed }).end();
  }

  const server = createServer(
    {
      headersTimeout: timeouts.headers,
      requestTimeout: timeouts.request,
      keepAliveTimeout: timeouts.keepAlive,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      // Some load balancers send none, and no answer depends on it.
      requireHostHeader: false,
    },
    (request, response) => {
      if (!connections.begin(request, response)) return;
      response.once('close', () => {
        // If its headers were sent before the server began to close, they have kept the connection open.
        if (!server.listening) server.closeIdleConnections();
      });
      void answer(request, response)
        .catch((error) => {
          // The client disconnected before it had sent everything.
          if (request.destroyed && !request.complete) return;
          log.error({ err: error }, 'could not answer an HTTP request');
          if (response.headersSent) response.destroy();
          else send(response, 500, { error: 'internal_error' });
        })
        .then(() => connections.answered(request, response));
    },
  );
  server.on('connection', connections.opened);

  return {
    /** @returns the URL with the actual port, for example `http://127.0.0.1:3000` */
    listen: () =>
      new Promise<string>((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => {
          const { address, port: actual, family } = server.address() as AddressInfo;
          resolve(`http://${family === 'IPv6' ? `[${address}]` : address}:${actual}`);
        });
      }),
    /** Accepts no new connections, answers the open requests, and resolves once all connections are closed. */
    close: () =>
      new Promise<void>((resolve) => {
        connections.finish();
        const giveUp = setTimeout(() => server.closeAllConnections(), timeouts.drain);
        server.close(() => {
          clearTimeout(giveUp);
          resolve();
        });
      }),
  };
}

/** The path and query without what monitors and proxies may add: a host, a prefix, and more slashes. */
function withoutPrefix(url: string, basePath: string): string {
  const [path = '', ...query] = url.replace(/^https?:\/\/[^/?]*/i, '').split('?');
  const rooted = withOneSlash(path);
  const isBelow = basePath !== '' && `${rooted}/`.startsWith(`${basePath}/`);
  const own = isBelow ? withOneSlash(rooted.slice(basePath.length)) : rooted;
  return [own || '/', ...query].join('?');
}

const withOneSlash = (path: string) => path.replace(/^\/{2,}/, '/');

/** Sends a string as plain text, anything else as JSON, and without a body just the status. */
export function send(response: ServerResponse, status: number, body?: unknown): void {
  if (body === undefined || body === '') {
    response.writeHead(status, { 'content-length': 0 }).end();
    return;
  }
  const plain = typeof body === 'string';
  const text = plain ? body : JSON.stringify(body);
  response
    .writeHead(status, {
      'content-type': `${plain ? 'text/plain' : 'application/json'}; charset=utf-8`,
      'content-length': Buffer.byteLength(text),
    })
    .end(text);
}

const RETRY_AFTER_SECONDS = 15;

export function sendLater(response: ServerResponse): void {
  response.setHeader('retry-after', RETRY_AFTER_SECONDS);
  send(response, 503, { error: 'try_again_later' });
}
