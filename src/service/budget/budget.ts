import { CLOCKS_DIFFER_MS } from '../../clock.ts';
import type { RateLimitState } from '../http/rate-limit.ts';

/** Calls that were granted within one second, by the number of that second since 1970. */
type SecondOfCalls = { second: number; count: number };

/** What is known of the calls that one API key may make. Never changed in place. Moments in ms. */
export type Budget = {
  /** Calls that the service allows in a minute. */
  limit: number;
  /** Calls that count, oldest first: at most one entry a second, however high the limit is. */
  calls: readonly SecondOfCalls[];
  /** What the service says is left until a moment, where that is less than our own count leaves. */
  ceiling: { left: number; until: number } | undefined;
  /** No call before this moment: what the service said with a 429. */
  waitUntil: number;
};

/** The service counts calls per minute (api.md, section 8). */
export const WINDOW_MS = 60_000;
/** What the service allows where it has not said otherwise yet (api.md, section 8). */
const USUAL_LIMIT = 60;
/** A higher limit is not believed, in calls a minute: it is a thousand a second. */
const HIGHEST_LIMIT = 60_000;
/** A grant is good for so long; a call that has not begun by then needs another. */
export const GRANT_LASTS_MS = 1_000;
/**
 * What is sent more than a window apart may still arrive within one, so a call counts for longer: for
 * the time until it begins, for its way, and for what the clocks of two replicas may differ.
 */
export const MARGIN_MS = GRANT_LASTS_MS + 2_000;
/**
 * A call must leave within this time of its grant, in ms, or it is not sent: its grant may stop counting
 * before it arrives. Connecting takes 15 s at most, so only a process that was frozen is too late.
 */
export const SENT_WITHIN_MS = WINDOW_MS / 2;

const SECOND_MS = 1_000;

export const newBudget = (): Budget => ({
  limit: USUAL_LIMIT,
  calls: [],
  ceiling: undefined,
  waitUntil: 0,
});

/** How many calls may be made now, reserves left aside. */
export function callsLeft(budget: Budget, now: number): number {
  const { limit, calls, ceiling, waitUntil } = settle(budget, now);
  if (waitUntil > now) return 0;
  const own = Math.max(0, limit - countOf(calls));
  return ceiling ? Math.min(own, ceiling.left) : own;
}

/**
 * Takes one call out of the budget.
 *
 * @param leave how many calls must be left after it
 * @returns the budget without it, or the moment (in ms) at which one may be there
 */
export function takeCall(
  budget: Budget,
  leave: number,
  now: number,
): { budget: Budget } | { at: number } {
  const settled = settle(budget, now);
  const at = momentFor(settled, leave, now);
  if (at > now) return { at };
  const { ceiling } = settled;
  return {
    budget: {
      ...settled,
      calls: countedIn(settled.calls, secondOf(now)),
      ceiling: ceiling && { ...ceiling, left: ceiling.left - 1 },
    },
  };
}

/**
 * Follows what the headers of an answer say.
 *
 * The limit is taken over. What is left by the service's count outranks ours where it is less: somebody
 * else uses the key, too. It is believed until its window resets, a minute at most, so that nonsense
 * passes by itself.
 *
 * @param inFlight calls under way that the service may not have counted yet
 * @returns the same object where there is nothing new
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

/** Makes no call before the moment that came with a 429. */
export function waitFor(budget: Budget, until: Date): Budget {
  return { ...budget, waitUntil: Math.max(budget.waitUntil, until.getTime()) };
}

/**
 * Counts a call from its end instead of its grant: one that took longer than the margin may have arrived
 * at any moment in between.
 */
export function countLater(budget: Budget, grantedAt: number, endedAt: number): Budget {
  const granted = secondOf(grantedAt);
  const settled = settle(budget, endedAt);
  const others = settled.calls
    .map(({ second, count }) => ({ second, count: second === granted ? count - 1 : count }))
    .filter(({ count }) => count > 0);
  return { ...settled, calls: countedIn(others, secondOf(endedAt)) };
}

/** Zero and what is no number of calls are not believed: the service answers, so it takes calls. */
function believableLimit(limit: number | undefined): number | undefined {
  return limit === undefined || limit < 1 ? undefined : Math.min(limit, HIGHEST_LIMIT);
}

/** When so many calls are left that one may be made; `now` where it may be made now. */
function momentFor({ limit, calls, ceiling, waitUntil }: Budget, wanted: number, now: number) {
  // More than all can't be left: then one is made when none counts any more.
  const leave = Math.min(wanted, limit - 1);
  let tooMany = countOf(calls) + leave + 1 - limit;
  let at = Math.max(now, waitUntil);
  for (const { second, count } of calls) {
    if (tooMany <= 0) break;
    tooMany -= count;
    at = Math.max(at, leavesAt(second));
  }
  return ceiling && ceiling.left <= leave ? Math.max(at, ceiling.until) : at;
}

/**
 * A budget by a clock that was set back since the budget was written: whatever counted, and whatever had to
 * be waited for, at that moment does so from now on for as long as it did then.
 *
 * @param writtenAt by the clock of then, in ms
 * @returns the same object where the clock was not set back
 */
export function followClock(budget: Budget, writtenAt: number, now: number): Budget {
  const setBackBy = writtenAt - now;
  if (setBackBy <= CLOCKS_DIFFER_MS) return budget;
  const { calls, ceiling, waitUntil } = budget;
  // Rounded so that no call counts shorter.
  const seconds = Math.floor(setBackBy / SECOND_MS);
  return {
    ...budget,
    calls: calls.map(({ second, count }) => ({ second: second - seconds, count })),
    ceiling: ceiling && { ...ceiling, until: ceiling.until - setBackBy },
    waitUntil: Math.max(0, waitUntil - setBackBy),
  };
}

/** Leaves out what counts no more. */
function settle(budget: Budget, now: number): Budget {
  const { calls, ceiling } = budget;
  return {
    ...budget,
    calls: calls.filter(({ second }) => leavesAt(second) > now),
    ceiling: ceiling && ceiling.until > now ? ceiling : undefined,
  };
}

function countedIn(calls: readonly SecondOfCalls[], second: number): SecondOfCalls[] {
  // Another replica's clock may be a little ahead of ours.
  const at = Math.max(second, calls.at(-1)?.second ?? second);
  const last = calls.at(-1);
  return last?.second === at
    ? [...calls.slice(0, -1), { second: at, count: last.count + 1 }]
    : [...calls, { second: at, count: 1 }];
}

const countOf = (calls: readonly SecondOfCalls[]) =>
  calls.reduce((sum, { count }) => sum + count, 0);

const secondOf = (moment: number) => Math.floor(moment / SECOND_MS);

/** The whole second counts from its end. */
const leavesAt = (second: number) => (second + 1) * SECOND_MS + WINDOW_MS + MARGIN_MS;
