import type { IncomingMessage } from 'node:http';

/** Actions, and files: pages elsewhere can’t send these types without being asked for permission first. */
const TYPES_OF_ACTS = new Set(['application/json', 'application/octet-stream']);

/**
 * Why a request is refused; undefined if it comes from these pages. A page elsewhere can make a browser send
 * requests here, with its own Origin or, by DNS rebinding, with its own name in the Host header.
 *
 * @param port on which the pages are served
 */
export function refusalOf(request: IncomingMessage, port: number): string | undefined {
  const hosts = ['127.0.0.1', 'localhost'].map((name) => `${name}:${port}`);
  const { host, origin } = request.headers;
  if (!host || !hosts.includes(host)) return 'The sandbox can only be used from this machine.';
  if (origin !== undefined && !hosts.some((own) => origin === `http://${own}`)) {
    return 'Other pages may not use the sandbox.';
  }
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (isRead) return undefined;
  // Browsers send the origin of every request that changes something, so a request without one isn't from a
  // page.
  const isAct = TYPES_OF_ACTS.has(request.headers['content-type'] ?? '');
  return isAct ? undefined : 'Actions must be sent as application/json.';
}
