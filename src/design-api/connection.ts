import { DesignApiError } from './errors.ts';
import { type Exchange, exchange } from './http-exchange.ts';
import { type RateLimitState, readRateLimit } from './rate-limit.ts';

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
  onRateLimit?: (state: RateLimitState) => void;
  beforeRetry?: (operation: string) => void | Promise<void>;
};

export type Call = {
  operation: string;
  method: 'GET' | 'POST';
  /** Path below the base address; each part is escaped. */
  path: readonly string[];
  query?: Record<string, string>;
  body?: string;
  signal?: AbortSignal;
};

/**
 * Makes one call with the key and reports the rate limit that the answer carries.
 * @throws DesignApiError `unauthorized` where the key fits no header; nothing is sent then
 */
export async function call(connection: Connection, request: Call): Promise<Exchange> {
  const { timeouts } = connection;
  const result = await exchange({
    method: request.method,
    url: addressOf(connection.baseUrl, request),
    headers: headersOf(connection, request),
    body: request.body,
    connectTimeoutMs: timeouts.connect,
    totalTimeoutMs: request.method === 'POST' ? timeouts.post : timeouts.get,
    signal: request.signal,
  });
  if (result.kind === 'answer') reportRateLimit(connection, result);
  return result;
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

function reportRateLimit(
  connection: Connection,
  answer: Extract<Exchange, { kind: 'answer' }>,
): void {
  const state = readRateLimit(answer.headers, connection.now());
  if (state === undefined) return;
  try {
    connection.onRateLimit?.(state);
  } catch {
    // A listener's fault must not turn a creation that happened into one that looks failed.
  }
}
