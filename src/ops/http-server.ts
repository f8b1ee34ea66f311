import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Log } from './logging.ts';

export type Route = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Handlers by method and path, for example `GET /healthz`. Paths are matched exactly. */
export type Routes = Record<string, Route>;

export type HttpServer = {
  /** @returns the address, for example `http://127.0.0.1:3000`, with the port that was really taken */
  listen(): Promise<string>;
  /** Takes no new connection and resolves when those open have ended. */
  close(): Promise<void>;
};

/** Slack sends a whole request at once; whoever takes longer is not Slack. In ms. */
const HEADERS_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_MS = 60_000;

export function createHttpServer(options: {
  host: string;
  port: number;
  routes: Routes;
  log: Log;
}): HttpServer {
  const { host, port, routes, log } = options;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').split('?')[0];
    const route = routes[`${request.method} ${path}`];
    if (!route) return send(response, 404, { error: 'not_found' });
    await route(request, response);
  }

  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    (request, response) => {
      answer(request, response).catch((error) => {
        log.error({ err: error }, 'a request could not be answered');
        if (response.headersSent) response.destroy();
        else send(response, 500, { error: 'internal_error' });
      });
    },
  );

  return {
    listen: () =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => {
          const { address, port: taken, family } = server.address() as AddressInfo;
          resolve(`http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`);
        });
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
}

/** Answers with JSON, with plain text for a string, or with nothing but the status where there is no body. */
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
