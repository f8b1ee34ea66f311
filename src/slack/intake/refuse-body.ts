import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * How long a refused connection stays open, in ms, and how much of its body is read meanwhile, in bytes. A
 * connection that is closed with unread bytes in it is reset, and a reset can take the answer with it
 * (RFC 9112, 9.6): whoever is still sending shall have read it by then.
 */
const LINGER_MS = 1_000;
const DISCARDED_BYTES = 64 * 1024;

/** 413 for a body that is too large, 503 where there is no room for it now. */
export type BodyRefusal = 'too_large' | 'busy';
const STATUS: Record<BodyRefusal, number> = { too_large: 413, busy: 503 };

/** Answers at once, reads hardly anything more, and closes the connection. */
export function refuseBody(
  request: IncomingMessage,
  response: ServerResponse,
  error: BodyRefusal,
): void {
  const words = JSON.stringify({ error });
  response.writeHead(STATUS[error], {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(words),
    connection: 'close',
  });
  // Ending the answer would close the connection.
  response.write(words);
  let left = DISCARDED_BYTES;
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.pause();
  });
  const close = () => {
    clearTimeout(timer);
    response.end();
    request.socket.destroySoon();
  };
  const timer = setTimeout(close, LINGER_MS);
  request.once('end', close).once('close', () => clearTimeout(timer));
}
