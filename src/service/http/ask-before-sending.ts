import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/**
 * Holds back a request until its connection is open, and then asks whether it may be sent. Nothing asynchronous
 * happens between the answer and the write, except that got writes the rest of a body above 64 KiB later.
 * If it may not, the connection is closed, and nothing was sent.
 */
export function askBeforeSending(request: ClientRequest, maySend: () => boolean): void {
  function ask(socket: Socket): void {
    if (maySend()) socket.uncork();
    else request.destroy(new Error('the request was withheld'));
  }

  request.once('socket', (socket: Socket) => {
    socket.cork();
    // A kept-alive connection, or one behind a proxy, is open already, and Node writes the request in this turn of the event loop.
    if (!socket.connecting) return ask(socket);
    const opened = socket instanceof TLSSocket ? 'secureConnect' : 'connect';
    socket.once(opened, () => ask(socket));
  });
}
