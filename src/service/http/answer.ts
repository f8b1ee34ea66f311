import type { IncomingHttpHeaders } from 'node:http';
import { escapeHtml } from '../../escape-html.ts';
import { DesignApiError, type DesignApiErrorCode } from '../errors.ts';
import {
  FIRST_UNIX_MILLISECOND,
  isObject,
  MAX_ENTRIES,
  readText,
} from '../operations/loose-values.ts';
import type { ClientContext, Resource } from './call.ts';
import type { Exchange, Fault } from './exchange.ts';

/** `json` is the body without the API key; undefined if it is missing or isn't JSON. */
export type Answer = Extract<Exchange, { kind: 'answer' }> & { json: unknown };

const isSuccess = (status: number) => status >= 200 && status <= 299;

export function readOutcome<Value>(
  result: Answer | Extract<Exchange, { kind: 'fault' }>,
  read: Resource<Value>,
  ctx: ClientContext,
): { value: Value } | DesignApiError {
  const { operation, exists } = read;
  if (result.kind === 'fault') return interrupted(operation, result.fault, result.reason);
  const { status, broken } = result;
  if (isSuccess(status)) {
    if (broken && broken.fault !== 'unusable')
      return interrupted(operation, broken.fault, broken.reason, status);
    // A copy: a slice of a string would keep the whole answer in memory for as long as the value is cached.
    const value = structuredClone(read.parse(result.json));
    if (value !== undefined) return { value };
  }
  const transient = status >= 500 ? 'unavailable' : status === 408 ? 'timed_out' : undefined;
  return answerFailure(transient ?? 'unreadable_answer', { ...result, operation, exists }, ctx);
}

const FAULTS = {
  network: ['unavailable', 'the design service could not be reached'],
  timed_out: ['timed_out', 'the design service took too long'],
  aborted: ['timed_out', 'the caller stopped waiting'],
  withheld: ['unavailable', 'not sent, because the process had been paused for too long'],
} as const;

function interrupted(operation: string, fault: Fault, reason: string, status?: number) {
  const [code, description] = FAULTS[fault];
  const message = `${operation}: ${description}`;
  return new DesignApiError({ code, operation, message, status, cause: reason });
}

/** Whether an answer says that a card was created. `status` is the service's success indicator (API reference, 2.1). */
export function saysCreated({ status, json, body, broken }: Answer): boolean {
  if (!isSuccess(status)) return false;
  // Of a body that broke off, only the status is known.
  if (json === undefined) return body?.trim() === '' || broken !== undefined;
  if (!isObject(json)) return true;
  // An error for too many calls has no status, but its code (section 7).
  return String(json.status).toLowerCase() !== 'false' && !(Number(json.statusCode) >= 400);
}

/** API reference, section 7. */
const REFUSALS: { [status: number]: DesignApiErrorCode } = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  410: 'not_found',
  429: 'rate_limited',
};

/** @param unclear the code for anything but a refusal by the service itself, such as a proxy's page */
export function answerFailure(
  unclear: DesignApiErrorCode,
  answer: Answer & Pick<Resource<unknown>, 'operation' | 'exists'>,
  { now, redact }: ClientContext,
): DesignApiError {
  const { status, operation, headers } = answer;
  const location = redact(headers.location ?? '');
  const misdirection = misdirectionOf({ ...answer, headers: { ...headers, location } });
  const isRefusal = !misdirection && status >= 400 && status <= 499 && status !== 408;
  const code = isRefusal ? (REFUSALS[status] ?? 'invalid_request') : unclear;
  return new DesignApiError({
    code,
    operation,
    message: `${operation}: the design service answered ${misdirection ?? status} (${code})`,
    status,
    misdirection,
    retryAt: code === 'rate_limited' ? retryMoment(headers, now()) : undefined,
    // A copy: a slice of a string would keep the whole answer in memory for as long as the error lives.
    ...structuredClone(explanationIn(answer.json)),
  });
}

/** In characters; the rest of a longer address says no more. */
const MAX_ADDRESS = 200;

/** These pass, whoever sent them: gateways in front of the service have pages of their own for them. */
const isTransient = (status: number) => status >= 500 || status === 408 || status === 429;

/**
 * What an answer shows of a wrong base URL or of something in between, such as a redirect, a login page, or another
 * server. Only the service itself may say that it refuses a key or doesn't have a card.
 *
 * @param answer.exists whether the service always has what was asked for
 * @returns for example “HTTP 302, which leads to https://login.example.com/”; undefined if the service may answer so
 */
export function misdirectionOf(
  answer: Pick<Answer, 'status' | 'headers' | 'json'> & { broken?: unknown; exists?: unknown },
): string | undefined {
  const { status, headers, json, broken, exists } = answer;
  if (status >= 300 && status <= 399) return redirectOf(status, headers.location);
  if (isTransient(status) || (broken && status < 300)) return undefined;
  if (isEnvelope(json)) return exists && status === 404 ? 'HTTP 404' : undefined;
  // The format of the task listing isn't documented.
  if (json !== undefined && status < 300 && !exists) return undefined;
  if (/^\s*text\/html/i.test(headers['content-type'] ?? ''))
    return `HTTP ${status} with a web page`;
  return `HTTP ${status} ${json === undefined ? 'without JSON' : 'with other JSON'}`;
}

/** Only scheme, host, and path are repeated: the rest of an address may be secret. */
function redirectOf(status: number, location: string | undefined): string {
  const address = location?.split(/[?#]/)[0]?.replace(/\/\/[^/]*@/, '//');
  return address
    ? `HTTP ${status}, which leads to ${address.slice(0, MAX_ADDRESS)}`
    : `HTTP ${status}`;
}

/** Whether it looks like an answer or error of the service (API reference, 2.1 and 7), even with parts missing. */
const isEnvelope = (json: unknown) =>
  isObject(json) &&
  ('data' in json || 'message' in json || 'statusCode' in json || json.status === false);

/** Limits, so that an error never contains a whole answer. */
const MAX_SERVICE_TEXT_CHARS = 300;
const MAX_DETAILS = 50;

/** The message and the details of the service's error body (API reference, section 7), as far as they can be read. */
function explanationIn(answer: unknown) {
  if (!isObject(answer)) return {};
  const keep = (text: string) => text.trim().slice(0, MAX_SERVICE_TEXT_CHARS).toWellFormed();
  const given = typeof answer.details === 'object' ? answer.details : null;
  const details = Object.entries(given ?? {})
    .slice(0, MAX_DETAILS)
    .map(([name, value]) => [keep(name), keep(textIn(value))])
    .filter(([, text]) => text !== '');
  return {
    serviceMessage: keep(readText(answer.message) ?? '') || undefined,
    details: details.length === 0 ? undefined : Object.fromEntries(details),
  };
}

/** All texts in a value, however it is nested. */
function textIn(value: unknown): string {
  if (typeof value === 'boolean') return String(value);
  if (typeof value !== 'object' || value === null) return readText(value)?.trim() ?? '';
  const parts = Object.values(value).slice(0, MAX_DETAILS).map(textIn);
  return parts.filter((part) => part !== '').join('; ');
}

const REDACTED = '[API key]';

/** A shorter key could be part of ordinary words (our choice: the API reference doesn't describe keys). */
const SHORTEST_SECRET = 8;

/** Levels of nesting that are read. A card has four. */
const MAX_DEPTH = 20;

/** Removes an API key that the service repeats, also where it is escaped for a URL or HTML. */
export function createRedaction(apiKey: string): (text: string) => string {
  if (apiKey.length < SHORTEST_SECRET) return (text) => text;
  const inAddresses = [encodeURIComponent(apiKey), inQuery(apiKey)];
  const spellings = new Set([
    apiKey,
    ...inAddresses,
    ...inAddresses.map((text) => text.replace(/%../g, (code) => code.toLowerCase())),
    escapeHtml(apiKey),
  ]);
  return (text) => {
    if (text.length < apiKey.length) return text;
    let left = text;
    for (const spelling of spellings) left = left.replaceAll(spelling, REDACTED);
    return left;
  };
}

/** As URLSearchParams escapes it. */
const inQuery = (text: string) => String(new URLSearchParams([['', text]])).slice('='.length);

/** Without what exceeds the limits; undefined (which JSON can't express) if the text isn't JSON. */
export function readJson(text: string, redact: (text: string) => string): unknown {
  try {
    return within(JSON.parse(text), redact, 0);
  } catch {
    return undefined;
  }
}

/** Changes arrays in place: copies of hundreds of thousands of them would take longer than parsing them. */
function within(json: unknown, redact: (text: string) => string, depth: number): unknown {
  if (typeof json === 'string') return redact(json);
  if (typeof json !== 'object' || json === null) return json;
  if (depth === MAX_DEPTH) return null;
  if (Array.isArray(json)) {
    json.splice(MAX_ENTRIES);
    for (const [index, entry] of json.entries()) json[index] = within(entry, redact, depth + 1);
    return json;
  }
  const entries = Object.entries(json).slice(0, MAX_ENTRIES);
  for (const entry of entries) {
    entry[0] = redact(entry[0]);
    entry[1] = within(entry[1], redact, depth + 1);
  }
  return Object.fromEntries(entries);
}

/** The X-RateLimit headers of an answer (API reference, section 8), without unreadable ones. */
export type RateLimitState = {
  limit?: number | undefined;
  remaining?: number | undefined;
  resetAt?: Date | undefined;
};

/** The shortest pause after a 429. "0", or a time in the past, would otherwise cause a tight loop. */
export const MIN_RETRY_AFTER_MS = 1_000;
/** The longest pause that is believed; the service's window is a minute (API reference, section 8). */
export const MAX_RETRY_AFTER_MS = 60 * 60 * 1_000;
/** The pause after a 429 without Retry-After: one window of a minute (API reference, section 8). */
export const DEFAULT_RETRY_AFTER_MS = 60_000;

/** As a server sends it (RFC 9110, 5.6.7), or in the obsolete form with the weekday's whole name. */
const HTTP_DATE = /^(mon|tue|wed|thu|fri|sat|sun)[a-z]*, .* GMT$/i;

export const readRateLimit = (headers: IncomingHttpHeaders, now: Date): RateLimitState => ({
  limit: readCount(headers['x-ratelimit-limit']),
  remaining: readCount(headers['x-ratelimit-remaining']),
  resetAt: readReset(headers['x-ratelimit-reset'], now),
});

/**
 * When to retry after a 429: Retry-After as seconds or as an HTTP date, otherwise X-RateLimit-Reset, otherwise
 * `DEFAULT_RETRY_AFTER_MS` from now. Always between `MIN_RETRY_AFTER_MS` and `MAX_RETRY_AFTER_MS` from now.
 */
export function retryMoment(headers: IncomingHttpHeaders, now: Date): Date {
  const reset = readReset(headers['x-ratelimit-reset'], now);
  const untilReset =
    reset && reset > now ? reset.getTime() - now.getTime() : DEFAULT_RETRY_AFTER_MS;
  const wait = retryAfterMs(headers['retry-after'], now) ?? untilReset;
  const clamped = Math.min(Math.max(wait, MIN_RETRY_AFTER_MS), MAX_RETRY_AFTER_MS);
  return new Date(now.getTime() + clamped);
}

function retryAfterMs(header: string | undefined, now: Date): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1_000);
  if (!HTTP_DATE.test(text)) return undefined;
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? undefined : moment - now.getTime();
}

/** One that is more than `MAX_RETRY_AFTER_MS` ahead isn't believed. */
function readReset(header: string | string[] | undefined, now: Date): Date | undefined {
  const value = readCount(header);
  if (value === undefined || value === 0) return undefined;
  const milliseconds = value < FIRST_UNIX_MILLISECOND ? value * 1_000 : value;
  return milliseconds > now.getTime() + MAX_RETRY_AFTER_MS ? undefined : new Date(milliseconds);
}

function readCount(header: string | string[] | undefined): number | undefined {
  const text = Array.isArray(header) ? header[0] : header;
  if (text === undefined || !/^\s*\d{1,15}\s*$/.test(text)) return undefined;
  return Number(text);
}
