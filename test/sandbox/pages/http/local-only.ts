import type { IncomingMessage } from 'node:http';

/**
 * Why a request is not served; undefined where it comes from these pages. A page elsewhere can make
 * a browser send requests here, under its own Origin, or under its own name for this address (DNS
 * rebinding), which the Host header then carries.
 *
 * @param port on which the pages are served
 */
export function refusalOf(request: IncomingMessage, port: number): string | undefined {
  const hosts = ['127.0.0.1', 'localhost'].map((name) => `${name}:${port}`);
  const { host, origin } = request.headers;
  if (!host || !hosts.includes(host)) return 'The sandbox is served to this machine only.';
  if (origin !== undefined && !hosts.some((own) => origin === `http://${own}`)) {
    return 'Other pages may not use the sandbox.';
  }
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (isRead) return undefined;
  // Every browser names the origin of what changes something; whoever names none is no page.
  const isJson = request.headers['content-type'] === 'application/json';
  return isJson ? undefined : 'Acts are sent as application/json.';
}
