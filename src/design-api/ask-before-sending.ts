import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/**
 * Holds back every byte of a request until its connection stands, and asks then whether they may go.
 * Nothing that waits lies between the answer and the write; of a body above 64 KiB, got writes the rest
 * later.
 *
 * @param request with a connection of its own that is not open yet
 * @param onWithheld called where they may not: the connection is closed, and nothing was sent
 */
export function askBeforeSending(
  request: ClientRequest,
  maySend: () => boolean,
  onWithheld: () => void,
): void {
  request.once('socket', (socket: Socket) => {
    socket.cork();
    socket.once(socket instanceof TLSSocket ? 'secureConnect' : 'connect', () => {
      if (maySend()) {
        socket.uncork();
      } else {
        onWithheld();
        request.destroy(new Error('the request was withheld'));
      }
    });
  });
}
