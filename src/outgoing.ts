import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';
import { OperatorError } from './ops/operator-error.ts';

/**
 * Until the next address of a host is tried. With Node's 250 ms, every address fails on a slow line. A
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
export const isReset = ({ code }: NodeJS.ErrnoException): boolean =>
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
