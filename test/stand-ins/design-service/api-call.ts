import type { IncomingMessage } from 'node:http';
import { type Route, routeOf } from './operations.ts';

/** A body as it arrived; `json` is undefined where the text is not JSON in UTF-8. */
export type CallBody = { text: string; json?: unknown };

/** A call as its request line and headers tell it. */
export type CallHead = {
  method: string;
  /** Relative to the base address; outside of it, the whole path. */
  path: string;
  query: string;
  route: Route;
  key?: string | undefined;
  caller?: string | undefined;
  contentType: string;
  contentEncoding: string;
};

export type ApiCall = CallHead & { body: CallBody };

/** No limit is shown in api.md; this is far above what a form's texts can amount to. */
const MAX_BODY_BYTES = 1024 * 1024;

/** Reads what is known before the body arrives. */
export function readHead(req: IncomingMessage, basePath: string): CallHead {
  const [fullPath = '', ...queryParts] = (req.url ?? '').split('?');
  const insideBase = fullPath.startsWith(`${basePath}/`);
  const path = insideBase ? fullPath.slice(basePath.length) : fullPath;
  const method = req.method ?? '';
  const key = req.headers['x-api-key'];
  return {
    method,
    path,
    query: queryParts.join('?'),
    route: insideBase ? routeOf(method, path) : { kind: 'unknown-path' },
    key: typeof key === 'string' && key !== '' ? key : undefined,
    caller: req.headers['user-agent'],
    contentType: req.headers['content-type'] ?? '',
    contentEncoding: req.headers['content-encoding'] ?? 'identity',
  };
}

/**
 * Reads the whole body. Too long a one is let run out, so that its sender can read the refusal.
 * Rejects where the sender goes away before its end.
 */
export async function readBody(req: IncomingMessage): Promise<CallBody | 'too-large'> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req) {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  if (size > MAX_BODY_BYTES) return 'too-large';
  return parseBody(Buffer.concat(chunks));
}

function parseBody(bytes: Buffer): CallBody {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { text, json: JSON.parse(text) };
  } catch {
    return { text: bytes.toString('utf8') };
  }
}
