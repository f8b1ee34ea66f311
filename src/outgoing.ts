import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';
import type { FetchFunction } from '@slack/web-api';
import { OperatorError } from './ops/operator-error.ts';

/**
 * How long until the next address of a host is tried, in ms. With Node's 250, every address fails on a slow line. A
 * lost first packet is repeated after 1 s (RFC 6298), and a form still opens in time after one address
 * that doesn't answer.
 */
const ADDRESS_TIMEOUT_MS = 1_500;
setDefaultAutoSelectFamilyAttemptTimeout(ADDRESS_TIMEOUT_MS);

/**
 * Sends everything through the proxy that the variables name, if NODE_USE_ENV_PROXY=1. Node itself does
 * so only if that is set before it reads `.env`.
 *
 * @throws OperatorError if a proxy's address can't be read; Node's message would repeat its password
 */
export function applyProxySettings(env: Record<string, string | undefined>): void {
  if (env.NODE_USE_ENV_PROXY !== '1') return;
  // In `proxy:3128`, the host would be the scheme.
  const isWrong = (name: string) => {
    const url = URL.parse(env[name] || 'http://unset');
    return !url?.hostname || !/^(?:https?|socks\w*):$/.test(url.protocol);
  };
  const wrong = PROXY_VARIABLES.find(isWrong);
  if (wrong)
    throw new OperatorError(`${wrong} must be a URL, such as http://proxy.example.com:3128.`);
  http.setGlobalProxyFromEnv(env);
}

/** The ones that Node reads (nodejs.org/api/http.html#built-in-proxy-support). */
export const PROXY_VARIABLES = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'] as const;

/** The proxy's address and the hosts that are reached without it; undefined without a proxy. */
export const proxyOfProcess = () => https.globalAgent.options.proxyEnv;

/** @param tunnelTimeoutMs how long a proxy may take to open a tunnel. Node's agents wait for 5 s */
export function singleUseAgents(tunnelTimeoutMs: number) {
  const options = { keepAlive: false, timeout: tunnelTimeoutMs, proxyEnv: proxyOfProcess() };
  return { http: new http.Agent(options), https: new https.Agent(options) };
}

/** Uses Node's global agents: they keep connections, and use the proxy of this process. */
export const send = (
  url: URL,
  options: https.RequestOptions,
  onAnswer: (answer: IncomingMessage) => void,
): ClientRequest => (url.protocol === 'https:' ? https : http).request(url, options, onAnswer);

/** Whether the other side closed the connection. A request may or may not have arrived then. */
const isReset = ({ code }: NodeJS.ErrnoException): boolean =>
  code === 'ECONNRESET' || code === 'EPIPE';

type SystemError = NodeJS.ErrnoException & { address?: string; port?: number; statusCode?: number };

/** For the log: codes, never a message, because Node's contain the proxy's password. */
export function failureReason(error: Error): string {
  const { code, statusCode }: SystemError = error;
  const known = typeof code === 'string' && /^[A-Z]\w{1,60}$/.test(code) ? code : 'unknown';
  if (error instanceof AggregateError) return `${known} (${addressesTried(error)})`;
  if (code === 'ERR_PROXY_TUNNEL' && statusCode)
    return `${known} (the proxy answered ${statusCode})`;
  return known;
}

/** Each address of a host that has several, with its code, after none could be connected to. */
export const addressesTried = ({ errors }: AggregateError): string =>
  errors
    .map((error: SystemError) => `${error.address}:${error.port} ${failureReason(error)}`)
    .join(', ');

type FetchInit = Pick<NonNullable<Parameters<FetchFunction>[1]>, 'method' | 'headers' | 'body'>;
export type FetchResponse = Awaited<ReturnType<FetchFunction>>;

/** The largest answer that is read (our choice: lists are asked for in pages of far less). */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/**
 * As much of `fetch` as Slack's client needs, on Node's HTTP client. Node's own `fetch` takes 10 MB for its parser,
 * which is WebAssembly, and 20 KB per call until V8 collects the whole heap: its weak references survive smaller
 * collections.
 *
 * @param options.timeoutMs until the last byte of the answer
 * @param options.repeatable whether to repeat the request once if the connection is reset before an answer, which
 *   happens when the other side closes a kept-alive connection at the moment of sending
 * @throws a `TimeoutError`, or an error with the system's `code`; also at a redirect
 */
export async function httpFetch(
  url: URL,
  { method = 'GET', headers = {}, body, agent }: FetchInit & Pick<https.RequestOptions, 'agent'>,
  { timeoutMs, repeatable = false }: { timeoutMs: number; repeatable?: boolean },
): Promise<FetchResponse> {
  if (body instanceof FormData) throw new TypeError('Forms with files are not supported.');
  let current: ClientRequest | IncomingMessage | undefined;
  const timer = setTimeout(() => {
    current?.destroy(new DOMException(`timeout: no answer within ${timeoutMs} ms`, 'TimeoutError'));
  }, timeoutMs);
  const attempt = () =>
    new Promise<IncomingMessage>((resolve, reject) => {
      current = send(url, { method, headers, agent }, (message) => {
        current = message;
        resolve(message);
      });
      current.on('error', reject).end(body);
    });
  try {
    const message = await attempt().catch((error) => {
      if (!repeatable || !isReset(error)) throw error;
      return attempt();
    });
    return await readAnswer(url, message);
  } catch (error) {
    throw withoutPassword(error as Error);
  } finally {
    clearTimeout(timer);
  }
}

/** Node's error of a tunnel contains the proxy's password. */
const withoutPassword = (error: NodeJS.ErrnoException) =>
  error.code === 'ERR_PROXY_TUNNEL'
    ? Object.assign(new Error(failureReason(error)), { code: error.code })
    : error;

async function readAnswer(url: URL, message: IncomingMessage): Promise<FetchResponse> {
  const { statusCode: status = 0, statusMessage: statusText = '', headers } = message;
  if (status >= 300 && status < 400) {
    message.destroy();
    throw new Error('unexpected redirect');
  }
  const ok = status >= 200 && status < 300;
  // The status of a refusal counts even if its body breaks off.
  const body = await readWhole(message).catch((error) => {
    if (ok) throw error;
    return Buffer.alloc(0);
  });
  const text = body.toString();
  return {
    ok,
    url: url.href,
    status,
    statusText,
    headers: {
      get: (name) => headers[name.toLowerCase()]?.toString() ?? null,
      entries: () => Object.entries(headers).map(([name, value]) => [name, String(value)]),
    },
    text: async () => text,
    json: async () => JSON.parse(text),
    arrayBuffer: async () => new Uint8Array(body).buffer,
  };
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
