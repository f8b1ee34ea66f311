import type { Gate, GatedCall } from '../budget/gate.ts';
import { DesignApiError } from '../errors.ts';
import { type BodyFault, type Exchange, exchange } from './exchange.ts';
import { parseJson } from './json.ts';

/** For one attempt of a read, in ms. */
const GET_TIMEOUT_MS = 10_000;
/** For a creation, in ms. Longer, because a timeout leaves its outcome unknown. */
const POST_TIMEOUT_MS = 30_000;
/** For each of DNS lookup, TCP connection, and TLS handshake, in ms. */
const CONNECT_TIMEOUT_MS = 5_000;
/** Upper bound of the first pause before a retry, in ms; it doubles each time. */
const RETRY_BASE_MS = 300;

/** All in ms. */
export type DesignApiTimeouts = {
  get: number;
  post: number;
  connect: number;
  /** Upper bound of the first pause before a read is retried. */
  retryBase: number;
};

export const DEFAULT_TIMEOUTS: DesignApiTimeouts = {
  get: GET_TIMEOUT_MS,
  post: POST_TIMEOUT_MS,
  connect: CONNECT_TIMEOUT_MS,
  retryBase: RETRY_BASE_MS,
};

/** What every operation needs to call the service with one API key. */
export type ClientContext = {
  baseUrl: URL;
  apiKey: string;
  /** Removes the API key from an answer. */
  redact: (json: unknown) => unknown;
  userAgent: string;
  timeouts: DesignApiTimeouts;
  now: () => Date;
  gate: Gate;
};

export type Call = GatedCall & {
  /** Path segments below the base URL; each is escaped. */
  path: readonly string[];
  query?: Record<string, string> | undefined;
  body?: string | undefined;
  /** Asked right before the first byte is written; if it returns false, nothing is sent. */
  maySend?: (() => boolean) | undefined;
};

/** An answer, parsed and without the API key. */
export type Answer = Pick<RawAnswer, 'status' | 'headers'> & {
  kind: 'answer';
  /** Undefined if the body is missing or isn't JSON. */
  json: unknown;
  /** Whether the answer has no body, as opposed to one that couldn't be read. */
  isEmpty: boolean;
  /** Why the body is missing. */
  broken?: { fault: BodyFault; reason: string };
};
type RawAnswer = Extract<Exchange, { kind: 'answer' }>;
type CallFault = Extract<Exchange, { kind: 'fault' }>;

/**
 * Makes one call, as soon as the gate allows it.
 *
 * @throws DesignApiError `unauthorized` if the key can't be sent in a header; nothing is sent then
 * @throws what the gate throws if it doesn't allow the call; nothing is sent then
 */
export async function call(ctx: ClientContext, request: Call): Promise<Answer | CallFault> {
  const { timeouts } = ctx;
  const headers = headersOf(ctx, request);
  const result = await ctx.gate(request, (isStillGranted = () => true) =>
    exchange({
      method: request.method,
      url: urlOf(ctx.baseUrl, request),
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
    return { ...answer, json: undefined, isEmpty: false, broken: { fault, reason } };
  }
  const isEmpty = result.body.trim() === '';
  return { ...answer, json: ctx.redact(parseJson(result.body)), isEmpty };
}

function headersOf({ apiKey, userAgent }: ClientContext, { operation, body }: Call) {
  // Checked here because Node's error message would quote the key.
  if (apiKey.trim() === '' || !/^[\x20-\x7e]+$/.test(apiKey)) {
    throw new DesignApiError({
      code: 'unauthorized',
      operation,
      message: `${operation}: the API key is empty or has characters that cannot be sent in a header`,
    });
  }
  return {
    'x-api-key': apiKey,
    accept: 'application/json',
    'user-agent': userAgent,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
}

function urlOf(baseUrl: URL, { path, query }: Call): URL {
  const url = new URL(baseUrl);
  const below = path.map((part) => `/${encodeURIComponent(part)}`).join('');
  url.pathname = url.pathname.replace(/(?<!\/)\/+$/, '') + below;
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
  return url;
}
