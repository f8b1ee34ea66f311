import type { IncomingMessage } from 'node:http';

/** The largest body taken, in bytes. Slack's own views are at most 250 KB. */
export const LARGEST_BODY_BYTES = 1024 * 1024;

/**
 * Reads a whole request body.
 *
 * @returns the bytes, or undefined where there are more than `LARGEST_BODY_BYTES`; a declared length
 *   over that is refused without reading
 */
export async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > LARGEST_BODY_BYTES) return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  // The connection is still needed for the answer to a body that is too large.
  const incoming: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
  for await (const chunk of incoming) {
    size += chunk.length;
    if (size > LARGEST_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Reads what Slack sends: JSON events, form-encoded commands, and interactions as JSON in the form
 * field `payload`.
 *
 * @param contentType the header, parameters such as charset included
 * @returns undefined where it can't be read as either
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
