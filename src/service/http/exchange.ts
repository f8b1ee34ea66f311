import http, { type IncomingHttpHeaders } from 'node:http';
import https from 'node:https';
import got, { RequestError, TimeoutError } from 'got';
import { askBeforeSending } from './ask-before-sending.ts';

/** The `reason` if `maySend` returned false. */
const WITHHELD = 'WITHHELD';

/** The largest answer that is read, after decompression (our choice: the API reference names no limit). */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/** One HTTP request. `body` is JSON. */
export type ExchangeRequest = {
  method: 'GET' | 'POST';
  url: URL;
  headers: Record<string, string>;
  body?: string | undefined;
  /** For each of DNS lookup, TCP connection, and TLS handshake, in ms. */
  connectTimeoutMs: number;
  /** From the start to the last byte of the answer, in ms. */
  totalTimeoutMs: number;
  signal?: AbortSignal | undefined;
  /** Asked when the connection is open and nothing has been sent yet; if it returns false, nothing is sent. */
  maySend: () => boolean;
};

/** Why the body of an answer could not be read after its headers had arrived. */
export type BodyFault = 'too_large' | 'garbled' | 'cut_off' | 'timed_out' | 'aborted';

/**
 * The result of one request: an answer, possibly without its body, or a fault before any answer. `sent` is
 * false only if nothing of the request can have reached the service. `reason` is a short code such as
 * `ECONNRESET`.
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

/** `withheld` means that `maySend` returned false. */
export type Fault = 'network' | 'timed_out' | 'aborted' | 'withheld';

/** For POST, because the service may close a kept-alive connection at the moment of sending. */
const SINGLE_USE_AGENTS = {
  http: new http.Agent({ keepAlive: false }),
  https: new https.Agent({ keepAlive: false }),
};

const utf8 = new TextDecoder();

/** Makes exactly one HTTP request: no retries, no redirects, no cookies, and a new connection for POST. Never rejects. */
export async function exchange(request: ExchangeRequest): Promise<Exchange> {
  const tooLarge = new AbortController();
  const signals = [tooLarge.signal, ...(request.signal === undefined ? [] : [request.signal])];
  const pending = got(request.url, {
    method: request.method,
    headers: request.headers,
    ...(request.body !== undefined && { body: request.body }),
    // Not as text, which got keeps in a WeakMap: V8 treats its values as alive until it next collects the whole heap.
    responseType: 'buffer',
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
  // `transferred` counts decompressed bytes, so this also stops a small answer that expands in memory.
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
    return { kind: 'answer', status: statusCode, headers, body: utf8.decode(body) };
  } catch (error) {
    if (withheld) return { kind: 'fault', sent: false, fault: 'withheld', reason: WITHHELD };
    return describeFailure(error, request, tooLarge.signal.aborted);
  }
}

function describeFailure(error: unknown, request: ExchangeRequest, tooLarge: boolean): Exchange {
  // Anything unexpected counts as sent: a doubt can be resolved, a second card can't be undone.
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
 * Judged by phase, because the same codes (ECONNRESET, ETIMEDOUT) occur before and after sending. Nothing is
 * sent before the connection is open, and for https before the TLS handshake is done.
 */
function wasConnected(error: RequestError, url: URL): boolean {
  const established =
    url.protocol === 'https:' ? error.timings?.secureConnect : error.timings?.connect;
  return established !== undefined;
}

/** zlib's error codes mean that the body arrived but can't be decompressed. */
function brokenBody(error: RequestError): 'garbled' | 'cut_off' {
  return /^(Z_|ZSTD_|ERR__)/.test(codeOf(error)) ? 'garbled' : 'cut_off';
}

/** For a broken body, got's error code is generic; its cause has the real one. */
function codeOf(error: RequestError): string {
  const { cause } = error;
  const code = cause instanceof Error && 'code' in cause ? cause.code : error.code;
  return typeof code === 'string' ? code : error.code;
}

/** Only the code, because got's errors contain the request's headers, and with them the key. */
function reasonOf(error: RequestError): string {
  const code = codeOf(error);
  const known = /^[A-Z]\w{1,60}$/.test(code) ? code : 'unknown';
  return error instanceof TimeoutError ? `${known} (${error.event})` : known;
}
