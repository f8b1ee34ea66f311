import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Log } from './logging.ts';

export type Route = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Handlers by method and path, for example `GET /healthz`. Paths are matched exactly. */
export type Routes = Record<string, Route>;

export type HttpServer = {
  /** @returns the address, for example `http://127.0.0.1:3000`, with the port that was really taken */
  listen(): Promise<string>;
  /** Takes no new connection, lets requests under way be answered, and resolves when all connections have ended. */
  close(): Promise<void>;
};

/** All in ms. */
export type HttpTimeouts = {
  /** Slack sends a whole request at once; whoever takes longer for its headers or the whole is not Slack. */
  headers: number;
  request: number;
  keepAlive: number;
  /** How long open connections have to end when the server closes: longer than Slack waits for an answer. */
  drain: number;
};

const DEFAULT_TIMEOUTS: HttpTimeouts = {
  headers: 5_000,
  request: 10_000,
  keepAlive: 60_000,
  drain: 4_000,
};
/** How often slow senders are looked for, in ms. Node's own 30 s would let them stay three times as long. */
const SLOW_SENDER_CHECK_MS = 500;

export function createHttpServer(options: {
  host: string;
  port: number;
  routes: Routes;
  log: Log;
  timeouts?: Partial<HttpTimeouts>;
}): HttpServer {
  const { host, port, routes, log } = options;
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
  const unanswered = new Set<ServerResponse>();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').split('?')[0];
    const route = routes[`${request.method} ${path}`];
    if (!route) return send(response, 404, { error: 'not_found' });
    await route(request, response);
  }

  const server = createServer(
    {
      headersTimeout: timeouts.headers,
      requestTimeout: timeouts.request,
      keepAliveTimeout: timeouts.keepAlive,
      connectionsCheckingInterval: SLOW_SENDER_CHECK_MS,
    },
    (request, response) => {
      unanswered.add(response);
      response.once('close', () => unanswered.delete(response));
      answer(request, response).catch((error) => {
        // Whoever left before everything was sent waits for no answer.
        if (request.destroyed && !request.complete) return;
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
        // Otherwise a connection stays open after its answer, for another request that never comes.
        for (const response of unanswered) response.shouldKeepAlive = false;
        const giveUp = setTimeout(() => server.closeAllConnections(), timeouts.drain);
        server.close(() => {
          clearTimeout(giveUp);
          resolve();
        });
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
