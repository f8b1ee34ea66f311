import type { IncomingMessage } from 'node:http';

/** The operations of api.md 4 that the app uses, and the task listing of 4.2. */
export type Operation =
  | 'getCard'
  | 'createCard'
  | 'listRequestTypes'
  | 'listTags'
  | 'listBrands'
  | 'listTasks';

/** What a method and path request; `id` is decoded. */
type Route =
  | { kind: 'operation'; operation: Operation; id?: string }
  | { kind: 'wrong-method'; allow: string }
  | { kind: 'malformed-id' }
  | { kind: 'unknown-path' };

const OPERATIONS: { operation: Operation; method: string; path: RegExp }[] = [
  { operation: 'getCard', method: 'GET', path: /^\/card\/([^/]+)$/ },
  { operation: 'createCard', method: 'POST', path: /^\/card$/ },
  { operation: 'listRequestTypes', method: 'GET', path: /^\/card-types$/ },
  { operation: 'listTags', method: 'GET', path: /^\/tags$/ },
  { operation: 'listBrands', method: 'GET', path: /^\/brands$/ },
  { operation: 'listTasks', method: 'GET', path: /^\/tasks$/ },
];

/** Finds the operation of a method and a path relative to the base URL, without its query. */
function routeOf(method: string, path: string): Route {
  const samePath = OPERATIONS.filter((entry) => entry.path.test(path));
  if (samePath.length === 0) return { kind: 'unknown-path' };
  const entry = samePath.find((candidate) => candidate.method === method);
  if (!entry) return { kind: 'wrong-method', allow: samePath.map((one) => one.method).join(', ') };
  const rawId = entry.path.exec(path)?.[1];
  if (rawId === undefined) return { kind: 'operation', operation: entry.operation };
  try {
    return { kind: 'operation', operation: entry.operation, id: decodeURIComponent(rawId) };
  } catch {
    return { kind: 'malformed-id' };
  }
}

/** A body as it arrived; `json` is undefined if the text isn't JSON in UTF-8. */
export type CallBody = { text: string; json?: unknown };

export type CallHead = {
  method: string;
  /** Relative to the base URL; outside of it, the whole path. */
  path: string;
  query: string;
  route: Route;
  key?: string | undefined;
  contentType: string;
  contentEncoding: string;
};

export type ApiCall = CallHead & { body: CallBody };

/** api.md shows no limit; this is far more than a form's texts can add up to. */
const MAX_BODY_BYTES = 1024 * 1024;

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
    contentType: req.headers['content-type'] ?? '',
    contentEncoding: req.headers['content-encoding'] ?? 'identity',
  };
}

/** A body that is too long is read to its end, so its sender can read the refusal. Rejects if the sender leaves. */
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
