import { DesignApiError } from './errors.ts';
import type { Gate } from './gate.ts';
import type { Exchange } from './http-exchange.ts';

/** Longest time for one read, in ms, first byte to last; a retry has its own. */
export const GET_TIMEOUT_MS = 10_000;
/** Longest time for a creation, in ms: longer, since giving up leaves its outcome unknown. */
export const POST_TIMEOUT_MS = 30_000;
/** Longest wait for each of name lookup, TCP connection and TLS handshake, in ms. */
export const CONNECT_TIMEOUT_MS = 5_000;
/** Upper bound of the first pause before a read is repeated, in ms; it doubles each time. */
export const RETRY_BASE_MS = 300;

/** All in ms. */
export type DesignApiTimeouts = {
  get: number;
  post: number;
  connect: number;
  /** Upper bound of the first pause before a read is repeated. */
  retryBase: number;
};

export const DEFAULT_TIMEOUTS: DesignApiTimeouts = {
  get: GET_TIMEOUT_MS,
  post: POST_TIMEOUT_MS,
  connect: CONNECT_TIMEOUT_MS,
  retryBase: RETRY_BASE_MS,
};

/** What every operation needs to reach the service with one API key. */
export type Connection = {
  baseUrl: URL;
  apiKey: string;
  userAgent: string;
  timeouts: DesignApiTimeouts;
  now: () => Date;
  gate: Gate;
};

export type Call = {
  operation: string;
  method: 'GET' | 'POST';
  /** Path below the base address; each part is escaped. */
  path: readonly string[];
  query?: Record<string, string>;
  body?: string;
  signal?: AbortSignal;
  /** Asked right before the first byte goes out; where it says no, none does. */
  maySend?: (() => boolean) | undefined;
};

/**
 * Makes one call with the key, when the gate lets it pass.
 * @throws DesignApiError `unauthorized` where the key fits no header; nothing is sent then
 * @throws whatever the gate does where it lets no call pass; nothing is sent then either
 */
export async function call(connection: Connection, request: Call): Promise<Exchange> {
  const { timeouts } = connection;
  const headers = headersOf(connection, request);
  return connection.gate(request, async () => {
    // got is read at the first call: the app is ready without it.
    const { exchange } = await import('./http-exchange.ts');
    return exchange({
      method: request.method,
      url: addressOf(connection.baseUrl, request),
      headers,
      body: request.body,
      connectTimeoutMs: timeouts.connect,
      totalTimeoutMs: request.method === 'POST' ? timeouts.post : timeouts.get,
      signal: request.signal,
      maySend: request.maySend,
    });
  });
}

function headersOf({ apiKey, userAgent }: Connection, { operation, body }: Call) {
  // The message must not quote the key, as Node's own complaint about a header's value might.
  if (apiKey.trim() === '' || !/^[\x20-\x7e]+$/.test(apiKey)) {
    throw new DesignApiError({
      code: 'unauthorized',
      operation,
      message: `${operation}: the API key is empty or holds characters that no HTTP header can carry`,
    });
  }
  return {
    'x-api-key': apiKey,
    accept: 'application/json',
    'user-agent': userAgent,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
}

function addressOf(baseUrl: URL, { path, query }: Call): URL {
  const url = new URL(baseUrl);
  const below = path.map((part) => `/${encodeURIComponent(part)}`).join('');
  url.pathname = url.pathname.replace(/\/+$/, '') + below;
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
  return url;
}
