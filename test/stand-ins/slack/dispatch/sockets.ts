import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { isObject, type JsonObject, parseJson } from '../json.ts';
import type { SlackState } from '../state/state.ts';

/** Socket Mode allows this many connections per app. Source: Slack's documentation. */
const MAX_CONNECTIONS = 10;
/** How often the server pings, and how long a connection is used after a warning that it is to be refreshed. */
const PING_INTERVAL_MS = 10_000;
const REFRESH_GRACE_MS = 1_000;
const CLOSE_GRACE_MS = 300;
const TICKET_BYTES = 16;

interface SocketAnswer {
  payload: unknown;
  error: 'timeout' | 'socket_closed' | undefined;
}

export interface Envelope {
  type: 'slash_commands' | 'interactive' | 'events_api';
  payload: JsonObject;
  retryNum: number;
  retryReason: string;
}

type Settle = (answer: SocketAnswer) => void;

export type SocketHub = ReturnType<typeof createSocketHub>;

/** Slack's side of Socket Mode: connections by ticket, envelopes out, acknowledgments in. */
export function createSocketHub({ ids, feed, app }: SlackState) {
  const server = new WebSocketServer({ noServer: true });
  const tickets = new Set<string>();
  const connections: WebSocket[] = [];
  const waiting = new Map<string, { socket: WebSocket; settle: Settle }>();
  let turn = 0;

  function leave(socket: WebSocket): void {
    const at = connections.indexOf(socket);
    if (at >= 0) connections.splice(at, 1);
    feed.emit();
  }

  function onFrame(text: string): void {
    const frame = parseJson(text);
    if (!isObject(frame) || typeof frame.envelope_id !== 'string') return;
    const waiter = waiting.get(frame.envelope_id);
    waiting.delete(frame.envelope_id);
    waiter?.settle({ payload: frame.payload, error: undefined });
  }

  function onClose(socket: WebSocket): void {
    leave(socket);
    for (const [id, waiter] of [...waiting]) {
      if (waiter.socket !== socket) continue;
      waiting.delete(id);
      waiter.settle({ payload: undefined, error: 'socket_closed' });
    }
  }

  function welcome(socket: WebSocket): void {
    const ping = setInterval(() => socket.ping(), PING_INTERVAL_MS);
    socket.on('message', (data) => onFrame(data.toString()));
    socket.on('error', () => socket.terminate());
    socket.on('close', () => {
      clearInterval(ping);
      onClose(socket);
    });
    connections.push(socket);
    socket.ping();
    socket.send(
      JSON.stringify({
        type: 'hello',
        num_connections: connections.length,
      }),
    );
    feed.emit();
  }

  return {
    count: () => connections.length,
    /** The path and query of a connection that can be opened once. */
    issueTicket() {
      const ticket = ids.secret(TICKET_BYTES);
      tickets.add(ticket);
      return `/link/?ticket=${ticket}&app_id=${app.id}`;
    },
    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer) {
      const { searchParams } = new URL(request.url ?? '/', 'http://localhost');
      const ticket = searchParams.get('ticket') ?? '';
      if (!tickets.delete(ticket) || connections.length >= MAX_CONNECTIONS) {
        socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
        return;
      }
      server.handleUpgrade(request, socket, head, welcome);
    },
    async deliver(envelope: Envelope, timeoutMs: number): Promise<SocketAnswer> {
      turn += 1;
      const socket = connections[turn % connections.length];
      if (!socket) return { payload: undefined, error: 'socket_closed' };
      const id = ids.secret(TICKET_BYTES);
      return new Promise((resolve) => {
        const timer = setTimeout(() => {
          waiting.delete(id);
          resolve({ payload: undefined, error: 'timeout' });
        }, timeoutMs);
        const settle: Settle = (answer) => {
          clearTimeout(timer);
          resolve(answer);
        };
        waiting.set(id, { socket, settle });
        socket.send(JSON.stringify(frameOf(id, envelope)));
      });
    },
    /** Warns every connection, and closes it a little later, as Slack does every few hours. Until then it is used. */
    refresh() {
      for (const socket of connections) {
        socket.send(JSON.stringify({ type: 'disconnect', reason: 'refresh_requested' }));
        setTimeout(() => {
          leave(socket);
          socket.close();
        }, REFRESH_GRACE_MS).unref();
      }
    },
    dropAll() {
      for (const socket of [...connections]) {
        leave(socket);
        socket.terminate();
      }
    },
    sendRaw(text: string) {
      for (const socket of connections) socket.send(text);
    },
    async close() {
      await Promise.all([...server.clients].map(sayGoodbye));
      server.close();
    },
  };
}

async function sayGoodbye(socket: WebSocket): Promise<void> {
  const timer = setTimeout(() => socket.terminate(), CLOSE_GRACE_MS);
  socket.close();
  await once(socket, 'close').catch(() => undefined);
  clearTimeout(timer);
}

function frameOf(id: string, { type, payload, retryNum, retryReason }: Envelope): JsonObject {
  const frame = { envelope_id: id, type, payload, accepts_response_payload: type !== 'events_api' };
  if (type !== 'events_api') return frame;
  return { ...frame, retry_attempt: retryNum, retry_reason: retryReason };
}
