import type { IncomingHttpHeaders } from 'node:http';
import { isObject } from '../operations/loose-values.ts';

/** Long addresses say no more. */
const MAX_ADDRESS = 200;

/** Whoever answers with these, it passes, and gateways in front of the service have pages of their own for them. */
const isPassing = (status: number) => status >= 500 || status === 408 || status === 429;

/**
 * What an answer shows of a wrong base URL or of something in between, such as a redirect, a login page, or another
 * server. Only the service itself may say that it refuses a key or doesn't have a card.
 *
 * @param answer.json undefined if the body isn't JSON
 * @param answer.exists whether the service always has what was asked for
 * @param answer.location without what could be secret: only scheme, host, and path are repeated
 * @returns for example “HTTP 302, which leads to https://login.example.com/”; undefined if the service may answer so
 */
export function misdirectionOf(answer: {
  status: number;
  headers: IncomingHttpHeaders;
  json: unknown;
  broken?: unknown;
  exists?: boolean | undefined;
  location?: string | undefined;
}): string | undefined {
  const { status, headers, json, broken, exists, location } = answer;
  if (status >= 300 && status <= 399) return redirectOf(status, location);
  if (isPassing(status) || (broken && status < 300)) return undefined;
  if (isEnvelope(json)) return exists && status === 404 ? 'HTTP 404' : undefined;
  // The format of the task listing isn't documented.
  if (json !== undefined && status < 300 && !exists) return undefined;
  if (/^\s*text\/html/i.test(headers['content-type'] ?? ''))
    return `HTTP ${status} with a web page`;
  return `HTTP ${status} ${json === undefined ? 'without JSON' : 'with other JSON'}`;
}

function redirectOf(status: number, location: string | undefined): string {
  const address = location?.split(/[?#]/)[0]?.replace(/\/\/[^/]*@/, '//');
  return address
    ? `HTTP ${status}, which leads to ${address.slice(0, MAX_ADDRESS)}`
    : `HTTP ${status}`;
}

/** As the service's answers and errors are (API reference, 2.1 and 7), some of which lack some of these. */
const isEnvelope = (json: unknown) =>
  isObject(json) &&
  ('data' in json || 'message' in json || 'statusCode' in json || json.status === false);
