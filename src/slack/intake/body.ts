import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Largest accepted body, in bytes. Slack limits its own views to 250 KB, to which comes what was typed. In a form, three
 * bytes stand for one (`%E4`), so a form with 32,000 Chinese characters takes more than a MiB.
 */
export const LARGEST_BODY_BYTES = 3 * 1024 * 1024;
/**
 * The signature is checked only after the whole body is read, so memory for all unverified bodies
 * is capped, in bytes. Small bodies don't count, so a flood of large ones can't block ordinary
 * deliveries.
 */
const MAX_UNVERIFIED_BYTES = 16 * 1024 * 1024;
const UNCOUNTED_BYTES = 64 * 1024;

/** `too_large`: over the limit (413); `busy`: too many large bodies at once (503). */
type BodyRefusal = 'too_large' | 'busy';
const STATUS: Record<BodyRefusal, number> = { too_large: 413, busy: 503 };

/**
 * Reads the whole body, or returns why not; the connection stays open for the answer. A declared
 * length over the limit is refused without reading. Rejects if the sender disconnects.
 */
export function createBodyReader() {
  let held = 0;
  return async (request: IncomingMessage): Promise<Buffer | BodyRefusal> => {
    if (Number(request.headers['content-length'] ?? 0) > LARGEST_BODY_BYTES) return 'too_large';
    const chunks: Buffer[] = [];
    let size = 0;
    let counted = 0;
    try {
      for await (const chunk of request.iterator({ destroyOnReturn: false })) {
        size += chunk.length;
        if (size > LARGEST_BODY_BYTES) return 'too_large';
        const more = Math.max(size - UNCOUNTED_BYTES, 0) - counted;
        if (held + more > MAX_UNVERIFIED_BYTES) return 'busy';
        held += more;
        counted += more;
        chunks.push(chunk);
      }
      return Buffer.concat(chunks, size);
    } finally {
      held -= counted;
    }
  };
}

/**
 * How long a refused connection stays open, in ms, and how much of its body is still read, in
 * bytes. Closing a connection with unread data resets it, and the reset can discard our answer (RFC
 * 9112, section 9.6), so the sender gets time to read it first.
 */
const LINGER_MS = 1_000;
const DISCARDED_BYTES = 64 * 1024;

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

/**
 * Parses what Slack sends: events as JSON, commands form-encoded, and interactions as JSON in the
 * form field `payload`.
 *
 * @param contentType the header, possibly with parameters such as charset
 * @returns undefined for anything else
 */
export function parseBody(text: string, contentType: string | undefined): unknown {
  const type = contentType?.split(';')[0]?.trim().toLowerCase();
  if (type === 'application/json') return parseJson(text);
  if (type !== 'application/x-www-form-urlencoded') return undefined;
  const fields = Object.fromEntries(new URLSearchParams(text));
  return fields.payload === undefined ? fields : parseJson(fields.payload);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
