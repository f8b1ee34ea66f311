import type { Gate } from '../budget/gate.ts';
import { DesignApiError } from '../errors.ts';
import { type BodyFault, type Exchange, exchange } from './exchange.ts';
import { parseJson } from './json.ts';

/** Longest time for one read, in ms, first byte to last; a retry has its own. */
const GET_TIMEOUT_MS = 10_000;
/** Longest time for a creation, in ms: longer, since giving up leaves its outcome unknown. */
const POST_TIMEOUT_MS = 30_000;
/** Longest wait for each of name lookup, TCP connection and TLS handshake, in ms. */
const CONNECT_TIMEOUT_MS = 5_000;
/** Upper bound of the first pause before a read is repeated, in ms; it doubles each time. */
const RETRY_BASE_MS = 300;

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
  /** Takes the API key out of an answer. */
  redact: (json: unknown) => unknown;
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
  query?: Record<string, string> | undefined;
  body?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Asked right before the first byte goes out; where it says no, none does. */
  maySend?: (() => boolean) | undefined;
};

/** An answer as the client sees it: parsed, and without the API key. */
export type Answer = Pick<AnswerOnTheWire, 'status' | 'headers'> & {
  kind: 'answer';
  /** Undefined if the body is missing or isn't JSON. */
  json: unknown;
  /** Why the body is missing. */
  broken?: { fault: BodyFault; reason: string };
};
type AnswerOnTheWire = Extract<Exchange, { kind: 'answer' }>;
type FaultOnTheWire = Extract<Exchange, { kind: 'fault' }>;

/**
 * Makes one call with the key, when the gate lets it pass.
 * @throws DesignApiError `unauthorized` where the key fits no header; nothing is sent then
 * @throws whatever the gate does where it lets no call pass; nothing is sent then either
 */
export async function call(
  connection: Connection,
  request: Call,
): Promise<Answer | FaultOnTheWire> {
  const { timeouts } = connection;
  const headers = headersOf(connection, request);
  const result = await connection.gate(request, (isStillGranted = () => true) =>
    exchange({
      method: request.method,
      url: addressOf(connection.baseUrl, request),
      headers,
      body: request.body,
      connectTimeoutMs: timeouts.connect,
      totalTimeoutMs: request.method === 'POST' ? timeouts.post : timeouts.get,
      signal: request.signal,
      maySend: () => isStillGranted() && (request.maySend?.() ?? true),
    }),
  );
  if (result.kind === 'fault') return result;
  const { kind, status, headers: answered } = result;
  const answer = { kind, status, headers: answered };
  if (result.body === undefined) {
    const { fault, reason } = result;
    return { ...answer, json: undefined, broken: { fault, reason } };
  }
  return { ...answer, json: connection.redact(parseJson(result.body)) };
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
  url.pathname = url.pathname.replace(/(?<!\/)\/+$/, '') + below;
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
  return url;
}
