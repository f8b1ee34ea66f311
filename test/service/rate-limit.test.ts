import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  DEFAULT_RETRY_AFTER_MS,
  MAX_RETRY_AFTER_MS,
  MIN_RETRY_AFTER_MS,
  readRateLimit,
  retryMoment,
} from '../../src/service/http/answer.ts';
import { retryPauseMs } from '../../src/service/http/call.ts';

const NOW = new Date('2026-01-05T12:00:00Z');
const waitFor = (retryAfter: string, headers = {}) =>
  retryMoment({ 'retry-after': retryAfter, ...headers }, NOW).getTime() - NOW.getTime();

test.each([
  ['30', 30_000],
  ['1.5', 1_500],
  ['Mon, 05 Jan 2026 12:00:45 GMT', 45_000],
  ['Monday, 05-Jan-26 12:00:45 GMT', 45_000],
  ['0', MIN_RETRY_AFTER_MS],
  ['Mon, 05 Jan 2026 11:00:00 GMT', MIN_RETRY_AFTER_MS],
  ['1000000000', MAX_RETRY_AFTER_MS],
  ['Tue, 05 Jan 2066 12:00:00 GMT', MAX_RETRY_AFTER_MS],
  ['-5', DEFAULT_RETRY_AFTER_MS],
  ['soon', DEFAULT_RETRY_AFTER_MS],
  ['', DEFAULT_RETRY_AFTER_MS],
])('Retry-After %j waits %i ms', (header, wait) => {
  expect(waitFor(header)).toBe(wait);
});

test('an unreadable Retry-After falls back to a reset time in the future', () => {
  const reset = (ms: number) => ({ 'x-ratelimit-reset': String((NOW.getTime() + ms) / 1_000) });
  expect(waitFor('soon', reset(12_000))).toBe(12_000);
  expect(waitFor('soon', reset(-12_000))).toBe(DEFAULT_RETRY_AFTER_MS);
});

test('the pause stays within its bounds for any headers', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (retryAfter, reset) => {
      const wait = waitFor(retryAfter, { 'x-ratelimit-reset': reset });
      expect(wait).toBeGreaterThanOrEqual(MIN_RETRY_AFTER_MS);
      expect(wait).toBeLessThanOrEqual(MAX_RETRY_AFTER_MS);
    }),
  );
});

test('unreadable rate limit headers are ignored one by one', () => {
  expect(readRateLimit({}, NOW)).toEqual({});
  expect(readRateLimit({ 'x-ratelimit-limit': 'many' }, NOW)).toEqual({});
  const headers = {
    'x-ratelimit-limit': '60',
    'x-ratelimit-remaining': '-1',
    'x-ratelimit-reset': '99999999999',
  };
  expect(readRateLimit(headers, NOW)).toEqual({ limit: 60 });
});

test('a reset time in milliseconds is understood', () => {
  const resetAt = new Date(NOW.getTime() + 5_000);
  const headers = { 'x-ratelimit-reset': String(resetAt.getTime()) };
  expect(readRateLimit(headers, NOW)).toEqual({ resetAt });
});

test('delays between retries double, and are jittered from zero', () => {
  expect([0, 1, 2].map((retries) => retryPauseMs(retries, 300, 0.999_999))).toEqual([
    299, 599, 1_199,
  ]);
  expect(retryPauseMs(2, 300, 0)).toBe(0);
});
