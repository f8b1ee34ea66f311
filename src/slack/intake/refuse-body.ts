import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * How much of a refused body is still read, and how long, in bytes and ms. A connection that is closed
 * with unread bytes in it is reset, and a reset can take the answer with it (RFC 9112, 9.6).
 */
const DISCARDED_BYTES = 4 * 1024 * 1024;
const LINGER_MS = 1_000;

const REFUSAL = JSON.stringify({ error: 'too_large' });

/** Answers 413 at once, throws away what is on its way, and closes the connection. */
export function refuseBody(request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(413, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(REFUSAL),
    connection: 'close',
  });
  // Ending the answer would close the connection.
  response.write(REFUSAL);
  let left = DISCARDED_BYTES;
  const discard = (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) close();
  };
  const close = () => {
    clearTimeout(timer);
    request.off('data', discard).pause();
    response.end();
    request.socket.destroySoon();
  };
  const timer = setTimeout(close, LINGER_MS);
  request.on('data', discard).once('end', close);
  request.once('close', () => clearTimeout(timer));
}
