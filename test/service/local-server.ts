import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import net, { type AddressInfo, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request as the server received it, including the body. */
type ReceivedRequest = {
  method: string;
  url: string;
  headers: http.IncomingHttpHeaders;
  body: string;
};

export type Answer = (
  response: ServerResponse,
  request: ReceivedRequest,
  socket: Socket,
) => void | Promise<void>;

/** Starts an HTTP server for one test; with `tls`, an HTTPS one. */
export async function startServer(answer: Answer, tls?: { key: string; cert: string }) {
  const requests: ReceivedRequest[] = [];
  const rawSockets = new Map<number | undefined, Socket>();
  const listener = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const received = {
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    };
    requests.push(received);
    await answer(response, received, rawSockets.get(request.socket.remotePort) ?? request.socket);
  };
  const server =
    tls === undefined ? http.createServer(listener) : https.createServer(tls, listener);
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    rawSockets.set(socket.remotePort, socket);
  });
  const port = await listen(server);
  return {
    baseUrl: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    requests,
    /** TCP connections accepted so far. */
    connections: () => connections,
  };
}

/** Starts a bare TCP server for one test. */
export async function startSocketServer(onSocket: (socket: Socket) => void): Promise<number> {
  return listen(
    net.createServer((socket) => {
      socket.on('error', () => {});
      onSocket(socket);
    }),
  );
}

/** Answers every request with JSON. */
export function json(
  status: number,
  body: unknown,
  headers: http.OutgoingHttpHeaders = {},
): Answer {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(status === 204 ? undefined : JSON.stringify(body));
  };
}

/** Answers every request with raw bytes. */
export function raw(
  status: number,
  body: string | Buffer,
  headers: http.OutgoingHttpHeaders = {},
): Answer {
  return (response) => {
    response.writeHead(status, headers);
    response.end(body);
  };
}

/** A bare connection, and everything received on it until it ends. */
export function connectTo(url: string): { socket: Socket; all: Promise<string> } {
  const socket = net.connect(Number(new URL(url).port), '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  const all = new Promise<string>((resolve) => {
    // The other end may stop listening before everything is sent.
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
  });
  return { socket, all };
}

/** Lets a server listen on this machine until the test ends. @returns its port */
export async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return port;
}
