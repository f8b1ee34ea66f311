import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** Far more than a page sends, in bytes. */
const MAX_BODY_BYTES = 1024 * 1024;

/** Why a request is refused: an HTTP status and a message. */
export class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.name = 'Refused';
    this.status = status;
  }
}

export async function readBytes(request: IncomingMessage, most: number): Promise<Buffer> {
  // Browsers say how long a body is, and Node reads no more than that.
  const size = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY);
  if (size > most) throw new Refused(413, 'The request is too large.');
  return buffer(request);
}

export async function readJson(request: IncomingMessage): Promise<unknown> {
  const bytes = await readBytes(request, MAX_BODY_BYTES);
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new Refused(400, 'The body isn’t JSON.');
  }
}

export function answerJson(response: ServerResponse, status: number, body: unknown): void {
  response
    .writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
    .end(JSON.stringify(body));
}

/** Actions, and files: pages elsewhere can’t send these types without being asked for permission first. */
const TYPES_OF_ACTS = new Set(['application/json', 'application/octet-stream']);

/**
 * Why a request is refused; undefined if it comes from these pages. A page elsewhere can make a browser send
 * requests here, with its own Origin or, by DNS rebinding, with its own name in the Host header.
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
  // Browsers send the origin of every request that changes something; without one, it isn't from a page.
  const isAct = TYPES_OF_ACTS.has(request.headers['content-type'] ?? '');
  return isAct ? undefined : 'Actions must be sent as application/json.';
}
