import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

const LOOPBACK = '127.0.0.1';

/**
 * A proxy that can silently drop everything, like a network whose other end is gone.
 *
 * @param target port of the server on this machine
 */
export async function openSilentProxy(target: number) {
  const sockets = new Set<Socket>();
  const server = createServer((incoming) => {
    const outgoing = connect(target, LOOPBACK);
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket);
      socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    }
    incoming.pipe(outgoing);
    outgoing.pipe(incoming);
  }).listen(0, LOOPBACK);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    /** From now on nothing passes in either direction on open connections; new ones work. */
    swallow() {
      for (const socket of sockets) socket.unpipe().pause();
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
