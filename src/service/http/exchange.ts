import type { ClientRequest, IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import got, { RequestError, TimeoutError } from 'got';
import { failureReason, singleUseAgents } from '../../outgoing.ts';

/** After decompression (our choice). Reading this much takes less than 100 ms, during which nothing else is answered. */
const MAX_ANSWER_BYTES = 1024 * 1024;

type ExchangeRequest = {
  method: 'GET' | 'POST';
  url: URL;
  headers: Record<string, string>;
  body?: string | undefined;
  /** For each of DNS lookup, TCP connection, TLS handshake, and a proxy's tunnel, in ms. */
  connectTimeoutMs: number;
  /** From the start to the last byte of the answer, in ms. */
  totalTimeoutMs: number;
  signal?: AbortSignal | undefined;
  /** Asked when the connection is open and nothing has been sent yet; if it returns false, nothing is sent. */
  maySend: () => boolean;
};

/**
 * An answer, possibly without its body, or a fault before any answer. `sent` is false only if nothing of the request can
 * have reached the service. `reason` is a short code such as `ECONNRESET`.
 */
export type Exchange =
  | {
      kind: 'answer';
      status: number;
      headers: IncomingHttpHeaders;
      body?: string;
      /** Why the body is missing. `unusable`: it is too large or can't be decompressed. */
      broken?: { fault: Fault | 'unusable'; reason: string };
    }
  | { kind: 'fault'; sent: boolean; fault: Fault; reason: string };

/** `withheld` means that `maySend` returned false. */
export type Fault = 'network' | 'timed_out' | 'aborted' | 'withheld';

/** Nothing is sent before the connection is open, and for https before the TLS handshake is done. */
type Phase = 'connecting' | 'sending' | 'withheld';

const utf8 = new TextDecoder();

/** Makes exactly one HTTP request: no retries, no redirects, no cookies. Never rejects. */
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
    // The service may close a kept-alive connection at the moment of sending.
    ...(request.method === 'POST' && { agent: singleUseAgents(request.connectTimeoutMs) }),
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
  // Not by got's timings, which lack the TLS handshake behind a proxy, nor by the error's code: ECONNRESET and ETIMEDOUT
  // occur both before and after sending.
  let phase: Phase = 'connecting';
  pending.on('request', (made) =>
    askBeforeSending(made, () => {
      phase = request.maySend() ? 'sending' : 'withheld';
      return phase === 'sending';
    }),
  );
  try {
    const { statusCode, headers, body } = await pending;
    return { kind: 'answer', status: statusCode, headers, body: utf8.decode(body) };
  } catch (error) {
    return describeFailure(error, request, { phase, tooLarge: tooLarge.signal.aborted });
  }
}

/**
 * Holds back a request until its connection is open, and then asks whether it may be sent. Nothing asynchronous
 * happens between the answer and the write, except that got writes the rest of a body above 64 KiB later.
 * If it may not, the connection is closed, and nothing was sent.
 */
export function askBeforeSending(request: ClientRequest, maySend: () => boolean): void {
  function ask(socket: Socket): void {
    if (maySend()) socket.uncork();
    else request.destroy(new Error('the request was withheld'));
  }

  request.once('socket', (socket: Socket) => {
    socket.cork();
    // A kept-alive connection, or one behind a proxy, is open already, and Node writes the request in this turn of the event loop.
    if (!socket.connecting) return ask(socket);
    const opened = socket instanceof TLSSocket ? 'secureConnect' : 'connect';
    socket.once(opened, () => ask(socket));
  });
}

function describeFailure(
  error: unknown,
  request: ExchangeRequest,
  { phase, tooLarge }: { phase: Phase; tooLarge: boolean },
): Exchange {
  if (phase === 'withheld') {
    return { kind: 'fault', sent: false, fault: 'withheld', reason: 'WITHHELD' };
  }
  // Anything unexpected counts as sent: a doubt can be resolved, a second card can't be undone.
  if (!(error instanceof RequestError)) {
    return { kind: 'fault', sent: true, fault: 'network', reason: 'unknown' };
  }
  const reason = reasonOf(error);
  const fault = faultOf(error, request, phase);
  if (error.response === undefined)
    return { kind: 'fault', sent: phase === 'sending', fault, reason };
  const { statusCode: status, headers } = error.response;
  // zlib's codes.
  const isUnusable = tooLarge || /^(Z_|ZSTD_|ERR__)/.test(codeOf(error));
  const broken = { fault: isUnusable ? 'unusable' : fault, reason } as const;
  return { kind: 'answer', status, headers, broken };
}

function faultOf(error: RequestError, { signal }: ExchangeRequest, phase: Phase): Fault {
  // If the caller's time ran out after the request was sent, the service was too slow.
  const waited = phase === 'sending' && signal?.reason?.name === 'TimeoutError';
  if (signal?.aborted === true) return waited ? 'timed_out' : 'aborted';
  return error instanceof TimeoutError || codeOf(error) === 'ETIMEDOUT' ? 'timed_out' : 'network';
}

function codeOf(error: RequestError): string {
  const { code }: NodeJS.ErrnoException = systemError(error);
  return String(code);
}

/** For a broken body, and for a refused connection, got's error is generic; its cause is the system's. */
const systemError = (error: RequestError): Error =>
  error.cause instanceof Error && 'code' in error.cause ? error.cause : error;

/** Only codes, because got's errors contain the request's headers, and with them the key. */
function reasonOf(error: RequestError): string {
  const reason = failureReason(systemError(error));
  return error instanceof TimeoutError ? `${reason} (${error.event})` : reason;
}
