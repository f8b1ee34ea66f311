import type { IncomingHttpHeaders } from 'node:http';
import { FIRST_UNIX_MILLISECOND } from '../operations/dates.ts';

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
