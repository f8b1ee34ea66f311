import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/**
 * Holds back every byte of a request until its connection is open, and asks then whether they may leave.
 * Nothing that waits lies between the answer and the write; of a body above 64 KiB, got writes the rest
 * later.
 *
 * @param onWithheld called if they may not: the connection is closed, and nothing was sent
 */
export function askBeforeSending(
  request: ClientRequest,
  maySend: () => boolean,
  onWithheld: () => void,
): void {
  function ask(socket: Socket): void {
    if (maySend()) {
      socket.uncork();
    } else {
      onWithheld();
      request.destroy(new Error('the request was withheld'));
    }
  }

  request.once('socket', (socket: Socket) => {
    socket.cork();
    // A connection that was kept alive is open, and Node writes the request in this turn.
    if (!socket.connecting) return ask(socket);
    const opened = socket instanceof TLSSocket ? 'secureConnect' : 'connect';
    socket.once(opened, () => ask(socket));
  });
}
