import type { Agent, IncomingMessage } from 'node:http';
import type { FetchFunction } from '@slack/web-api';
import { isReset, send, whyFailed } from '../../outgoing.ts';

type FetchInit = Omit<NonNullable<Parameters<FetchFunction>[1]>, 'redirect' | 'signal'> & {
  agent?: Agent;
};
type FetchResponse = Awaited<ReturnType<FetchFunction>>;

const isRedirect = (status = 0) => status >= 300 && status < 400;
const isSuccess = (status: number) => status >= 200 && status < 300;

/** The largest answer that is read (our choice: lists are asked for in pages of far less). */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/**
 * As much of `fetch` as we need, through Node's HTTP client. Node's own `fetch` takes 10 MB for its parser, which
 * is WebAssembly, and 20 KB per call until V8 collects the whole heap: its weak references survive smaller collections.
 *
 * The answer's body is always read, and may be asked for repeatedly. Redirects are errors.
 *
 * @param options.timeoutMs until the last byte of the answer
 * @param options.repeatable whether to repeat the request once if the connection is reset before an answer, which
 *   happens when the other side closes a kept-alive connection at the moment of sending
 * @throws a `TimeoutError`, or an error with the system's `code`
 */
export function httpFetch(
  url: URL,
  { method = 'GET', headers = {}, body, agent }: FetchInit,
  { timeoutMs, repeatable = false }: { timeoutMs: number; repeatable?: boolean },
): Promise<FetchResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<FetchResponse>();
  if (body instanceof FormData) throw new TypeError('Forms with files are not supported.');
  let repeats = repeatable ? 1 : 0;
  let fail: (error: Error) => unknown;
  function attempt(): void {
    const sent = send(url, { method, headers, agent }, (message) => {
      repeats = 0;
      fail = (error) => message.destroy(error);
      if (isRedirect(message.statusCode)) sent.destroy(new Error('unexpected redirect'));
      else resolve(responseOf(url, message));
    });
    fail = (error) => sent.destroy(error);
    sent.end(body).on('error', (error) => {
      if (repeats === 0 || !isReset(error)) return reject(withoutPassword(error));
      repeats -= 1;
      sent.off('close', onClose);
      attempt();
    });
    sent.on('close', onClose);
  }
  const onClose = () => clearTimeout(timer);
  const timer = setTimeout(() => {
    fail(new DOMException(`timeout: no answer within ${timeoutMs} ms`, 'TimeoutError'));
  }, timeoutMs);
  attempt();
  return promise;
}

/** Node's error of a tunnel contains the proxy's password. */
function withoutPassword(error: Error): Error {
  const { code }: NodeJS.ErrnoException = error;
  if (code !== 'ERR_PROXY_TUNNEL') return error;
  return Object.assign(new Error(whyFailed(error)), { code });
}

async function readWhole(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of message) {
    bytes += chunk.length;
    // Leaving the loop ends the connection.
    if (bytes > MAX_ANSWER_BYTES) throw new Error(`the answer exceeds ${MAX_ANSWER_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function responseOf(url: URL, message: IncomingMessage): FetchResponse {
  const { statusCode: status = 0, statusMessage: statusText = '', headers } = message;
  const body = readWhole(message);
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
