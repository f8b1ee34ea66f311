import { CLOCKS_DIFFER_MS } from '../../clock.ts';
import type { RateLimitState } from '../http/rate-limit.ts';

/** The number of calls granted within one second, which is counted from 1970. */
type SecondOfCalls = { second: number; count: number };

/** The calls that one API key may make. Immutable. Times in ms. */
export type Budget = {
  /** Calls that the service allows per minute. */
  limit: number;
  /** Calls that still count, oldest first. At most one entry per second, however high the limit is. */
  calls: readonly SecondOfCalls[];
  /** How many calls the service says are left, if fewer than by our own count. */
  ceiling?: { left: number; until: number } | undefined;
  /** From a 429: make no call before this time. */
  waitUntil: number;
};

/** The service counts calls per minute (API reference, section 8). */
export const WINDOW_MS = 60_000;
/** Assumed until the service names another one (API reference, section 8). */
const USUAL_LIMIT = 60;
/** A higher limit isn't believed, in calls per minute: it is a thousand per second. */
const HIGHEST_LIMIT = 60_000;
/** How long a grant is valid. A call that hasn't begun by then needs another one. */
export const GRANT_LASTS_MS = 1_000;
/**
 * Calls sent more than a window apart can arrive within one window. So a call counts for longer, to allow for
 * the time before it begins, its latency, and the clock skew between replicas.
 */
export const MARGIN_MS = GRANT_LASTS_MS + 2_000;
/**
 * A call that leaves later than this after its grant, in ms, isn't sent, because its grant might stop counting
 * before it arrives. Connecting takes at most 15 s, so this happens only to a process that was paused.
 */
export const SENT_WITHIN_MS = WINDOW_MS / 2;

const SECOND_MS = 1_000;

export const newBudget = (): Budget => ({
  limit: USUAL_LIMIT,
  calls: [],
  ceiling: undefined,
  waitUntil: 0,
});

/** How many calls may be made now, ignoring reserves. */
export function callsLeft(budget: Budget, now: number): number {
  const { limit, calls, ceiling, waitUntil } = withoutExpired(budget, now);
  if (waitUntil > now) return 0;
  const own = Math.max(0, limit - countOf(calls));
  return ceiling ? Math.min(own, ceiling.left) : own;
}

/**
 * Takes one call out of the budget.
 *
 * @param leave how many calls must remain
 * @returns the new budget, or when a call may be available, in ms
 */
export function takeCall(
  budget: Budget,
  leave: number,
  now: number,
): { budget: Budget } | { at: number } {
  const current = withoutExpired(budget, now);
  const at = availableAt(current, leave, now);
  if (at > now) return { at };
  const { ceiling } = current;
  return {
    budget: {
      ...current,
      calls: withCall(current.calls, secondOf(now)),
      ceiling: ceiling && { ...ceiling, left: ceiling.left - 1 },
    },
  };
}

/**
 * Adopts the limit from the headers of an answer, and their number of remaining calls if it is lower than ours,
 * since others may use the same key. The latter is believed until the window resets, but at most for a minute,
 * so that a wrong value doesn't last.
 *
 * @param inFlight running calls that the service may not have counted yet
 * @returns the same object if nothing has changed
 */
export function followHeaders(
  budget: Budget,
  said: RateLimitState,
  { inFlight, now }: { inFlight: number; now: number },
): Budget {
  const limit = believableLimit(said.limit) ?? budget.limit;
  const followed = limit === budget.limit ? budget : { ...budget, limit };
  const resetAt = said.resetAt?.getTime() ?? now;
  if (said.remaining === undefined || resetAt <= now) return followed;
  if (said.remaining >= callsLeft(followed, now)) return followed;
  const left = Math.max(0, said.remaining - inFlight);
  return { ...followed, ceiling: { left, until: Math.min(resetAt, now + WINDOW_MS) } };
}

/** After a 429. */
export function waitFor(budget: Budget, until: Date): Budget {
  return { ...budget, waitUntil: Math.max(budget.waitUntil, until.getTime()) };
}

/** Counts a call from its end instead of its grant: one that took longer than the margin may have arrived late. */
export function countLater(budget: Budget, grantedAt: number, endedAt: number): Budget {
  const granted = secondOf(grantedAt);
  const current = withoutExpired(budget, endedAt);
  const others = current.calls
    .map(({ second, count }) => ({ second, count: second === granted ? count - 1 : count }))
    .filter(({ count }) => count > 0);
  return { ...current, calls: withCall(others, secondOf(endedAt)) };
}

/** A limit below 1 isn't believed: the service has just answered a call. */
function believableLimit(limit: number | undefined): number | undefined {
  return limit === undefined || limit < 1 ? undefined : Math.min(limit, HIGHEST_LIMIT);
}

/** When the next call may be made: `now` if immediately. */
function availableAt({ limit, calls, ceiling, waitUntil }: Budget, wanted: number, now: number) {
  // If more calls than the limit should remain, the next one may be made when none counts any more.
  const leave = Math.min(wanted, limit - 1);
  let tooMany = countOf(calls) + leave + 1 - limit;
  let at = Math.max(now, waitUntil);
  for (const { second, count } of calls) {
    if (tooMany <= 0) break;
    tooMany -= count;
    at = Math.max(at, expiresAt(second));
  }
  return ceiling && ceiling.left <= leave ? Math.max(at, ceiling.until) : at;
}

/**
 * Adjusts a budget if the clock was set back since it was stored: every time in it is moved back as far as the
 * clock, so that nothing counts longer than before.
 *
 * @param writtenAt when it was stored, in ms
 * @returns the same object if the clock wasn't set back
 */
export function followClock(budget: Budget, writtenAt: number, now: number): Budget {
  const setBackBy = writtenAt - now;
  if (setBackBy <= CLOCKS_DIFFER_MS) return budget;
  // Rounded so that no call counts for less time.
  return moveBack(budget, Math.floor(setBackBy / SECOND_MS));
}

/** The same budget by a clock that is so many seconds behind; negative: ahead. Exact, so that it can be undone. */
export function moveBack(budget: Budget, seconds: number): Budget {
  if (seconds === 0) return budget;
  const { calls, ceiling, waitUntil } = budget;
  const by = seconds * SECOND_MS;
  return {
    ...budget,
    calls: calls.map(({ second, count }) => ({ second: second - seconds, count })),
    ceiling: ceiling && { ...ceiling, until: ceiling.until - by },
    // 0 means that there is nothing to wait for.
    waitUntil: waitUntil === 0 ? 0 : Math.max(0, waitUntil - by),
  };
}

/** Removes calls and a ceiling that don't count any more. */
function withoutExpired(budget: Budget, now: number): Budget {
  const { calls, ceiling } = budget;
  return {
    ...budget,
    calls: calls.filter(({ second }) => expiresAt(second) > now),
    ceiling: ceiling && ceiling.until > now ? ceiling : undefined,
  };
}

function withCall(calls: readonly SecondOfCalls[], second: number): SecondOfCalls[] {
  // Another replica's clock may be slightly ahead of ours.
  const at = Math.max(second, calls.at(-1)?.second ?? second);
  const last = calls.at(-1);
  return last?.second === at
    ? [...calls.slice(0, -1), { second: at, count: last.count + 1 }]
    : [...calls, { second: at, count: 1 }];
}

const countOf = (calls: readonly SecondOfCalls[]) =>
  calls.reduce((sum, { count }) => sum + count, 0);

const secondOf = (moment: number) => Math.floor(moment / SECOND_MS);

/** Counted from the end of the second. */
const expiresAt = (second: number) => (second + 1) * SECOND_MS + WINDOW_MS + MARGIN_MS;
