import { setTimeout as pause } from 'node:timers/promises';
import type { GatedCall } from '../budget/call-class.ts';
import type { Gate } from '../budget/gate.ts';
import { DesignApiError, type DesignApiErrorCode } from '../errors.ts';
import { isObject } from '../operations/loose-values.ts';
import { type Answer, readJson, readOutcome } from './answer.ts';
import { type Exchange, exchange } from './exchange.ts';

/**
 * A read is repeated after 5xx, 408, timeouts, and network errors, with pauses; after a 429 it isn't. A creation is sent
 * once, because the service can't recognize a duplicate. Neither follows a redirect.
 */
const MAX_RETRIES = 3;
const REPEATED: readonly DesignApiErrorCode[] = ['unavailable', 'timed_out'];

/** All in ms. */
export const DEFAULT_TIMEOUTS = {
  /** For one attempt of a read. */
  get: 10_000,
  /** For a creation. Longer, because a timeout leaves its outcome unknown. */
  post: 30_000,
  /** For each of DNS lookup, TCP connection, and TLS handshake. */
  connect: 5_000,
  /** Upper bound of the first pause before a read is repeated; it doubles each time. */
  retryBase: 300,
};
export type DesignApiTimeouts = typeof DEFAULT_TIMEOUTS;

const USER_AGENT = 'design-api-client';

export type ClientContext = {
  /** http or https, possibly with a path. */
  baseUrl: string;
  /** Sent as `x-api-key` (API reference, section 5), and nowhere else. */
  apiKey: string;
  /** Removes the API key from a text. */
  redact: (text: string) => string;
  timeouts: DesignApiTimeouts;
  /** For interpreting Retry-After. */
  now: () => Date;
  /** Passed by every HTTP call, including retries. */
  gate: Gate;
};

export type Call = GatedCall & {
  /** Path segments below the base URL; each is escaped. */
  path: readonly string[];
  query?: Record<string, string | undefined>;
  body?: string | undefined;
  /** Asked right before the first byte is written; if it returns false, nothing is sent. */
  maySend?: (() => boolean) | undefined;
};

export type ReadOptions = Partial<Pick<Call, 'callClass' | 'signal'>>;

export type Resource<Value> = Pick<Call, 'operation' | 'path' | 'query'> & {
  /** Whether the service always has it, so that whoever answers 404 isn't the service. */
  exists?: boolean | undefined;
  /** Converts an answer's JSON; undefined if it can't be used. */
  parse(body: unknown): Value | undefined;
};

/** Answers are wrapped in `data` (API reference, 2.1). */
export const dataOf = (body: unknown): unknown => (isObject(body) ? body.data : undefined);

/** @throws DesignApiError, or what the gate throws, if nothing was sent */
export async function call(
  ctx: ClientContext,
  request: Call,
): Promise<Answer | Extract<Exchange, { kind: 'fault' }>> {
  const { method, body, signal } = request;
  const { timeouts } = ctx;
  const headers = headersOf(ctx, request);
  const url = urlOf(ctx.baseUrl, request);
  const result = await ctx.gate(request, (isStillGranted = () => true) =>
    exchange({
      method,
      url,
      headers,
      body,
      signal,
      connectTimeoutMs: timeouts.connect,
      totalTimeoutMs: method === 'POST' ? timeouts.post : timeouts.get,
      maySend: () => isStillGranted() && (request.maySend?.() ?? true),
    }),
  );
  if (result.kind === 'fault') return result;
  return {
    ...result,
    json: result.body === undefined ? undefined : readJson(result.body, ctx.redact),
  };
}

export async function read<Value>(
  ctx: ClientContext,
  request: Resource<Value> & ReadOptions,
): Promise<Value> {
  const asked = { callClass: 'person', ...request, method: 'GET' } as const;
  let failure: DesignApiError | undefined;
  for (let retries = 0; ; retries += 1) {
    try {
      const outcome = readOutcome(await call(ctx, asked), request, ctx);
      if (!(outcome instanceof DesignApiError)) return outcome.value;
      failure = outcome;
      if (!REPEATED.includes(failure.code) || retries === MAX_RETRIES) throw failure;
      const wait = retryPauseMs(retries, ctx.timeouts.retryBase, Math.random());
      await pause(wait, undefined, { signal: request.signal });
    } catch (error) {
      // Unless this is the first attempt, the caller's signal or the gate ended the retries.
      throw failure ?? error;
    }
  }
}

/** Exponential backoff with full jitter, in ms: between 0 and base × 2^retries. */
export const retryPauseMs = (retries: number, baseMs: number, chance: number): number =>
  Math.floor(chance * baseMs * 2 ** retries);

function headersOf({ apiKey }: ClientContext, { operation, body }: Call) {
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
    'user-agent': USER_AGENT,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
}

function urlOf(baseUrl: string, { operation, path, query }: Call): URL {
  const url = new URL(baseUrl);
  let pathname = url.pathname.replace(/(?<!\/)\/+$/, '');
  for (const part of path) {
    // '.' and '..' would change the path.
    if (['', '.', '..'].includes(part) || !part.isWellFormed()) {
      const message = `${operation}: this ID cannot be part of a path`;
      throw new DesignApiError({ code: 'not_found', operation, message });
    }
    pathname += `/${encodeURIComponent(part)}`;
  }
  url.pathname = pathname;
  for (const [name, value] of Object.entries(query ?? {}))
    if (value !== undefined) url.searchParams.set(name, value);
  return url;
}
