import { once } from 'node:events';
import { createServer } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Reply } from '../../../src/slack/intake/intake.ts';
import { createSocketConnection } from '../../../src/slack/intake/socket-connection.ts';
import { logTo } from '../../store/stores-under-test.ts';

/** What `apps.connections.open` answers; undefined is an address. */
type Opening = { status?: number; body: string } | undefined;

/** The far end of Socket Mode, reduced to frames: it sends whatever it is given. With `tls`, over TLS. */
export async function startFrameServer(tls?: { key: string; cert: string }) {
  const openings: Opening[] = [];
  let opened = 0;
  const http = tls ? https.createServer(tls) : createServer();
  const secure = tls ? 's' : '';
  http.on('request', (_request, response) => {
    const { port } = http.address() as AddressInfo;
    opened += 1;
    const address = JSON.stringify({ ok: true, url: `ws${secure}://127.0.0.1:${port}/link` });
    const { status = 200, body } = openings.shift() ?? { body: address };
    response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
    response.end(body);
  });
  const server = new WebSocketServer({ server: http, autoPong: false });
  const sockets: WebSocket[] = [];
  const answers: { envelope_id?: string; payload?: unknown }[] = [];
  let silent = 0;
  let pongs = 0;
  let answersPings = true;
  server.on('connection', (socket) => {
    sockets.push(socket);
    socket.on('ping', () => {
      if (!answersPings) return;
      pongs += 1;
      socket.pong();
    });
    socket.on('message', (data) => answers.push(JSON.parse(data.toString())));
    if (silent > 0) silent -= 1;
    else socket.send(JSON.stringify({ type: 'hello', num_connections: 1 }));
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  onTestFinished(async () => {
    for (const socket of server.clients) socket.terminate();
    server.close();
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  });
  return {
    apiUrl: `http${secure}://127.0.0.1:${(http.address() as AddressInfo).port}/api/`,
    answers,
    sockets,
    /** What the next openings are answered with. */
    openings,
    opened: () => opened,
    /** The next connection gets no `hello`. */
    withholdHello: () => {
      silent += 1;
    },
    pongs: () => pongs,
    ignorePings: () => {
      answersPings = false;
    },
    send: (frame: string | Buffer) => sockets.at(-1)?.send(frame),
  };
}

/** A connection to that far end, with an intake that replies like this. */
export async function connectSocket(
  receive: (body: unknown) => Promise<Reply>,
  prepare: (slack: Awaited<ReturnType<typeof startFrameServer>>) => void = () => undefined,
  tls?: { key: string; cert: string },
) {
  const slack = await startFrameServer(tls);
  prepare(slack);
  const lines: string[] = [];
  const log = logTo(lines);
  const connection = createSocketConnection({
    appToken: 'xapp-1-A-1-abc',
    apiUrl: slack.apiUrl,
    intake: { receive },
    log,
    timesMs: { unanswered: 5, refused: 20, handOver: 300 },
  });
  onTestFinished(() => connection.stop());
  await connection.start();
  return { ...slack, connection, log: lines };
}

/** A frame as Slack sends it. */
export const frame = (type: string, payload: unknown, id = 'envelope-1'): string =>
  JSON.stringify({ envelope_id: id, type, payload, accepts_response_payload: true });
