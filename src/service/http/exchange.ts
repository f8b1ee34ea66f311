import http, { type IncomingHttpHeaders } from 'node:http';
import https from 'node:https';
import got, { RequestError, TimeoutError } from 'got';
import { askBeforeSending } from './ask-before-sending.ts';

/** The reason of what `maySend` refused. */
const WITHHELD = 'WITHHELD';

/** Largest answer that is read, counted after decompression; api.md names no limit. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/** One HTTP request to make. `body` is JSON text. */
export type ExchangeRequest = {
  method: 'GET' | 'POST';
  url: URL;
  headers: Record<string, string>;
  body?: string | undefined;
  /** Longest wait for each of name lookup, TCP connection and TLS handshake, in ms. */
  connectTimeoutMs: number;
  /** Longest time from start to the last byte of the answer, in ms. */
  totalTimeoutMs: number;
  signal?: AbortSignal | undefined;
  /** Asked when the connection is open and nothing has been sent yet; if it says no, nothing is. */
  maySend: () => boolean;
};

/** Why an answer's body could not be read although its head arrived. */
export type BodyFault = 'too_large' | 'garbled' | 'cut_off' | 'timed_out' | 'aborted';

/**
 * What came of one request: an answer (its body may be missing, with the reason), or a fault before any
 * answer. `sent` is false only where nothing of the request can have reached the service. `reason` is a
 * short code such as `ECONNRESET`.
 */
export type Exchange =
  | { kind: 'answer'; status: number; headers: IncomingHttpHeaders; body: string }
  | {
      kind: 'answer';
      status: number;
      headers: IncomingHttpHeaders;
      body: undefined;
      fault: BodyFault;
      reason: string;
    }
  | { kind: 'fault'; sent: boolean; fault: Fault; reason: string };

/** `withheld` is what `maySend` refused. */
export type Fault = 'network' | 'timed_out' | 'aborted' | 'withheld';

/**
 * Connections of their own for what must not be sent twice: a kept-alive connection may be closed by the
 * other side at the moment of sending.
 */
const SINGLE_USE_AGENTS = {
  http: new http.Agent({ keepAlive: false }),
  https: new https.Agent({ keepAlive: false }),
};

/**
 * Makes exactly one HTTP request: no retry, no redirect, no cookie, and for POST no kept-alive connection.
 * Never rejects.
 */
export async function exchange(request: ExchangeRequest): Promise<Exchange> {
  const tooLarge = new AbortController();
  const signals = [tooLarge.signal, ...(request.signal === undefined ? [] : [request.signal])];
  const pending = got(request.url, {
    method: request.method,
    headers: request.headers,
    ...(request.body !== undefined && { body: request.body }),
    responseType: 'text',
    throwHttpErrors: false,
    followRedirect: false,
    retry: { limit: 0 },
    ...(request.method === 'POST' && { agent: SINGLE_USE_AGENTS }),
    timeout: {
      lookup: request.connectTimeoutMs,
      connect: request.connectTimeoutMs,
      secureConnect: request.connectTimeoutMs,
      request: request.totalTimeoutMs,
    },
    signal: AbortSignal.any(signals),
  });
  // `transferred` counts decompressed bytes, so a small packed answer cannot unfold in memory either.
  pending.on('downloadProgress', ({ transferred, total }) => {
    if (Math.max(transferred, total ?? 0) > MAX_ANSWER_BYTES) tooLarge.abort();
  });
  let withheld = false;
  pending.on('request', (made) =>
    askBeforeSending(made, request.maySend, () => {
      withheld = true;
    }),
  );
  try {
    const { statusCode, headers, body } = await pending;
    return { kind: 'answer', status: statusCode, headers, body };
  } catch (error) {
    if (withheld) return { kind: 'fault', sent: false, fault: 'withheld', reason: WITHHELD };
    return describeFailure(error, request, tooLarge.signal.aborted);
  }
}

function describeFailure(error: unknown, request: ExchangeRequest, tooLarge: boolean): Exchange {
  // Anything unexpected counts as sent: doubt is dealt with, a second order is not undone.
  if (!(error instanceof RequestError)) {
    return { kind: 'fault', sent: true, fault: 'network', reason: 'unknown' };
  }
  const reason = reasonOf(error);
  const fault = faultOf(error, request);
  if (error.response !== undefined) {
    const { statusCode: status, headers } = error.response;
    const bodyFault = tooLarge ? 'too_large' : fault === 'network' ? brokenBody(error) : fault;
    return { kind: 'answer', status, headers, body: undefined, fault: bodyFault, reason };
  }
  return { kind: 'fault', sent: wasConnected(error, request.url), fault, reason };
}

function faultOf(
  error: RequestError,
  request: ExchangeRequest,
): 'network' | 'timed_out' | 'aborted' {
  if (request.signal?.aborted === true) return 'aborted';
  return error instanceof TimeoutError || codeOf(error) === 'ETIMEDOUT' ? 'timed_out' : 'network';
}

/**
 * Judged by phase: the same codes (ECONNRESET, ETIMEDOUT) occur before and after sending. Nothing of a
 * request leaves before the connection stands, and over https before its handshake is done.
 */
function wasConnected(error: RequestError, url: URL): boolean {
  const established =
    url.protocol === 'https:' ? error.timings?.secureConnect : error.timings?.connect;
  return established !== undefined;
}

/** zlib's codes mean that the bytes arrived but do not unpack. */
function brokenBody(error: RequestError): 'garbled' | 'cut_off' {
  return /^(Z_|ZSTD_|ERR__)/.test(codeOf(error)) ? 'garbled' : 'cut_off';
}

/** got's own code for a broken body hides what broke it; the cause has it. */
function codeOf(error: RequestError): string {
  const { cause } = error;
  const code = cause instanceof Error && 'code' in cause ? cause.code : error.code;
  return typeof code === 'string' ? code : error.code;
}

/** A code only: the HTTP library's errors carry the request's headers, and with them the key. */
function reasonOf(error: RequestError): string {
  const code = codeOf(error);
  const known = /^[A-Z]\w{1,60}$/.test(code) ? code : 'unknown';
  return error instanceof TimeoutError ? `${known} (${error.event})` : known;
}
