import { type IncomingMessage, request } from 'node:http';
import { request as requestSecurely } from 'node:https';
import { buffer } from 'node:stream/consumers';
import type { FetchFunction } from '@slack/web-api';

type FetchInit = Omit<NonNullable<Parameters<FetchFunction>[1]>, 'redirect' | 'signal'>;
type FetchResponse = Awaited<ReturnType<FetchFunction>>;

const isRedirect = (status = 0) => status >= 300 && status < 400;
const isSuccess = (status: number) => status >= 200 && status < 300;

/**
 * As much of `fetch` as calls to Slack need, through Node's HTTP client. Node's own `fetch` takes 10 MB for its parser, which
 * is WebAssembly, and 20 KB per call until V8 collects the whole heap: its weak references survive smaller collections.
 *
 * The answer's body is always read, and may be asked for repeatedly. Redirects are errors.
 *
 * @param options.timeoutMs until the last byte of the answer
 * @throws a `TimeoutError`, or the system's error with its `code`
 */
export function httpFetch(
  url: URL,
  { method = 'GET', headers = {}, body }: FetchInit,
  { timeoutMs }: { timeoutMs: number },
): Promise<FetchResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<FetchResponse>();
  if (body instanceof FormData) throw new TypeError('Forms with files are not supported.');
  const send = url.protocol === 'https:' ? requestSecurely : request;
  const sent = send(url, { method, headers }, (message) => {
    fail = (error) => message.destroy(error);
    if (isRedirect(message.statusCode)) sent.destroy(new Error('unexpected redirect'));
    else resolve(responseOf(url, message));
  });
  let fail = (error: Error): unknown => sent.destroy(error);
  const timer = setTimeout(() => {
    fail(new DOMException(`timeout: no answer within ${timeoutMs} ms`, 'TimeoutError'));
  }, timeoutMs);
  sent.on('error', reject).on('close', () => clearTimeout(timer));
  sent.end(body);
  return promise;
}

function responseOf(url: URL, message: IncomingMessage): FetchResponse {
  const { statusCode: status = 0, statusMessage: statusText = '', headers } = message;
  const body = buffer(message);
  // Of some answers only the status counts.
  body.catch(() => undefined);
  const text = async () => (await body).toString();
  return {
    ok: isSuccess(status),
    url: url.href,
    status,
    statusText,
    text,
    headers: {
      get: (name) => headers[name.toLowerCase()]?.toString() ?? null,
      entries: () => Object.entries(headers).map(([name, value]) => [name, String(value)]),
    },
    json: async () => JSON.parse(await text()),
    arrayBuffer: async () => new Uint8Array(await body).buffer,
  };
}
