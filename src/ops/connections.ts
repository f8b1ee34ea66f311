import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { clientAddressOf } from './client-address.ts';

// Limits on what clients take up. Whoever takes the most, or for the longest, is cut off first.

/** Of all clients together. Each takes a few KiB, and up to 64 KiB of a body. */
const MAX_CONNECTIONS = 1_000;
/** Requests on one connection. Slack, browsers, and proxies send the next one after the answer. */
const MAX_UNANSWERED = 8;
/** Complete answers that their clients don't read: the limit for all together, in bytes, and for each, in ms. */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024;
const UNREAD_MS = 10_000;

type Connection = { address: string; unanswered: Set<ServerResponse> };

export function createConnections() {
  /** The least recently used comes first. */
  const open = new Map<Socket, Connection>();
  const unread = new Map<ServerResponse, { bytes: number; timer: NodeJS.Timeout }>();
  let unreadBytes = 0;

  function settle(response: ServerResponse): void {
    const kept = unread.get(response);
    if (!kept) return;
    clearTimeout(kept.timer);
    unread.delete(response);
    unreadBytes -= kept.bytes;
  }

  return {
    opened(socket: Socket): void {
      const connection = {
        address: clientAddressOf({ socket, headers: {} }),
        unanswered: new Set<ServerResponse>(),
      };
      open.set(socket, connection);
      // Answers behind an unread one never get a `close` of their own.
      socket.once('close', () => {
        open.delete(socket);
        connection.unanswered.forEach(settle);
      });
      if (open.size > MAX_CONNECTIONS) leastUsedOfMost(open)?.destroy();
    },

    /** @returns whether to answer; if not, the connection ends */
    begin({ socket }: IncomingMessage, response: ServerResponse): boolean {
      const connection = open.get(socket);
      if (!connection || socket.destroyed) return false;
      if (connection.unanswered.size >= MAX_UNANSWERED) {
        endParsing(socket);
        socket.destroy();
        return false;
      }
      open.delete(socket);
      open.set(socket, connection);
      connection.unanswered.add(response);
      response.once('close', () => {
        connection.unanswered.delete(response);
        settle(response);
      });
      return true;
    },

    /** Call this when an answer is complete: from now on, it waits only for its client. */
    answered({ socket }: IncomingMessage, response: ServerResponse): void {
      const bytes = response.writableLength;
      if (bytes === 0 || socket.destroyed || response.closed) return;
      const timer = setTimeout(() => socket.destroy(), UNREAD_MS);
      unread.set(response, { bytes, timer });
      unreadBytes += bytes;
      for (const [oldest] of unread) {
        if (unreadBytes <= MAX_UNREAD_BYTES) return;
        settle(oldest);
        oldest.req.socket.destroy();
      }
    },

    /** Ends each connection after its answer, instead of waiting for another request. */
    finish(): void {
      for (const { unanswered } of open.values()) {
        for (const response of unanswered) response.shouldKeepAlive = false;
      }
    },
  };
}

/**
 * Keeps Node from handling the requests that it has received together with this one: up to two thousand in 64 KiB. To
 * its parser, 2 means that no more HTTP follows, as after an upgrade.
 */
function endParsing(socket: Socket & { parser?: { onIncoming: () => number } | null }): void {
  if (socket.parser) socket.parser.onIncoming = () => 2;
}

/** The least recently used connection of the address with the most connections. */
function leastUsedOfMost(open: ReadonlyMap<Socket, Connection>): Socket | undefined {
  const byAddress = Map.groupBy(open, ([, { address }]) => address);
  const [most] = [...byAddress.values()].toSorted((a, b) => b.length - a.length);
  return most?.[0]?.[0];
}
