import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * How long a refused connection stays open, in ms, and how much of its body is still read, in
 * bytes. Closing a connection with unread data resets it, and the reset can discard our answer (RFC
 * 9112, section 9.6), so the sender gets time to read it first.
 */
const LINGER_MS = 1_000;
const DISCARDED_BYTES = 64 * 1024;

/** `too_large`: over the limit (413); `busy`: too many large bodies at once (503). */
export type BodyRefusal = 'too_large' | 'busy';
const STATUS: Record<BodyRefusal, number> = { too_large: 413, busy: 503 };

/** Answers right away, reads little of the rest, and closes the connection. */
export function refuseBody(
  request: IncomingMessage,
  response: ServerResponse,
  error: BodyRefusal,
): void {
  const body = JSON.stringify({ error });
  response.writeHead(STATUS[error], {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  });
  // end() would close the connection.
  response.write(body);
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
