import { z } from 'zod';
import type { RateLimitState } from '../http/answer.ts';
import { type CallKind, POLICIES, SHARE_OF_WAITING_LINKS } from './call-class.ts';

/** Calls that were granted within one second: until when they count, how many they are, and how many are for links. */
const callsOfSecond = z.object({ until: z.number(), count: z.number(), links: z.number() });
type CallsOfSecond = z.infer<typeof callsOfSecond>;

/** The calls that one API key may make. Immutable. Times in ms. */
export const storedBudget = z.object({
  /** Calls that the service allows per minute. */
  limit: z.number(),
  /** Calls that still count, oldest first. At most one entry per second, however high the limit is. */
  calls: z.array(callsOfSecond).readonly(),
  /** How many calls the service says are left, if fewer than by our own count. */
  ceiling: z.object({ left: z.number(), until: z.number() }).optional(),
  /** From a 429: make no call before this time. */
  waitUntil: z.number(),
});
export type Budget = z.infer<typeof storedBudget>;

/** A call that asks for a grant. */
type Asking = {
  kind: CallKind;
  /** Whether it was refused before, and asks again at the time that it was given. */
  isDue: boolean;
  /** How many refused calls are expected to ask again. */
  expected: { submissions: number; links: number };
};

/** The service counts calls per minute (API reference, section 8). */
export const WINDOW_MS = 60_000;
/** Assumed until the service names another one (API reference, section 8). */
const USUAL_LIMIT = 60;
/** The highest limit that is believed, in calls per minute: a thousand per second. */
const HIGHEST_LIMIT = 60_000;
/** Calls sent a window apart may arrive within one, because of their latency and of clocks that differ. */
const MARGIN_MS = 3_000;
const COUNTS_FOR_MS = WINDOW_MS + MARGIN_MS;

const SECOND_MS = 1_000;

export const newBudget = (): Budget => ({ limit: USUAL_LIMIT, calls: [], waitUntil: 0 });

/** How many calls may be made now if nothing has to be left for others. */
export function callsLeft(budget: Budget, now: number): number {
  const { used, ceiling } = countedIn(budget, now);
  if (budget.waitUntil > now) return 0;
  return Math.max(0, Math.min(budget.limit - used, ceiling?.left ?? budget.limit));
}

/** Takes one call out of the budget, or returns when one may be available, in ms. */
export function takeCall(
  budget: Budget,
  asking: Asking,
  now: number,
): { budget: Budget; grantedAt: number } | { budget: Budget; at: number } {
  const { limit, waitUntil } = budget;
  const { calls, used, usedForLinks, ceiling } = countedIn(budget, now);
  // Even if the whole limit should be left for others, one call may be made once no earlier call counts any more.
  const leave = Math.min(callsToLeave(asking, limit, usedForLinks), limit - 1);
  let tooMany = used + leave + 1 - limit;
  let at = Math.max(now, waitUntil);
  for (const { until, count } of calls) {
    if (tooMany <= 0) break;
    tooMany -= count;
    at = Math.max(at, until);
  }
  if (ceiling && ceiling.left <= leave) at = Math.max(at, ceiling.until);
  if (at > now) return { budget, at };
  const left = ceiling && { ...ceiling, left: ceiling.left - 1 };
  const taken = { limit, waitUntil, calls: withCall(calls, asking.kind, now), ceiling: left };
  return { budget: taken, grantedAt: now };
}

/**
 * How many calls one of this kind leaves for others: their share, and one for each refused call that is expected to ask
 * again. For waiting links, people leave the unused part of the links' share of this minute. A new link doesn't
 * overtake waiting ones.
 */
function callsToLeave({ kind, isDue, expected }: Asking, limit: number, usedForLinks: number) {
  const { submissions, links } = expected;
  const ofLinks = Math.max(0, Math.ceil(limit * SHARE_OF_WAITING_LINKS) - usedForLinks);
  if (kind === 'submission') return 0;
  if (kind === 'person') return submissions + Math.min(ofLinks, links);
  if (isDue && ofLinks > 0) return 0;
  return Math.floor(limit * POLICIES[kind].leaves) + submissions + (isDue ? 0 : links);
}

/** How far apart the calls of this kind are if they use up the budget evenly, in ms. */
export const refillMs = ({ limit }: Budget, kind: CallKind): number =>
  COUNTS_FOR_MS / (limit - Math.floor(limit * POLICIES[kind].leaves));

/** A call that has ended, and what the answer's headers say. */
type EndedCall = RateLimitState & {
  kind: CallKind;
  grantedAt: number;
  endedAt: number;
  /** Other calls that were running when it ended, which the service may not have counted yet. */
  inFlight: number;
  /** From a 429, otherwise 0. */
  busyUntil: number;
};

/**
 * Adopts the limit that the service announces, its number of remaining calls if it is lower than ours, since others may
 * use the same key, and the wait that comes with a 429. Wrong values don't last: the service has just answered a call,
 * so a limit of 0 isn't believed, and the remaining calls are believed for a minute at most.
 *
 * @returns the same budget if nothing has changed
 */
export function learn(budget: Budget, ended: EndedCall): Budget {
  const { remaining = Number.POSITIVE_INFINITY, resetAt, busyUntil, endedAt: now } = ended;
  const limit = ended.limit ? Math.min(ended.limit, HIGHEST_LIMIT) : budget.limit;
  let learned = limit === budget.limit ? budget : { ...budget, limit };
  const until = Math.min(resetAt?.getTime() ?? now, now + WINDOW_MS);
  if (busyUntil > 0) {
    // Retry-After says more than the other headers.
    learned = { ...learned, waitUntil: Math.max(learned.waitUntil, busyUntil) };
  } else if (until > now && remaining < callsLeft(learned, now)) {
    learned = { ...learned, ceiling: { left: Math.max(0, remaining - ended.inFlight), until } };
  }
  return now - ended.grantedAt > MARGIN_MS ? countLater(learned, ended) : learned;
}

/** Counts a call from its end instead of its grant: one that took longer than the margin may have arrived late. */
function countLater(budget: Budget, { kind, grantedAt, endedAt }: EndedCall): Budget {
  const links = kind === 'posted' ? 1 : 0;
  const others = countedIn(budget, endedAt).calls.map((one) =>
    one.until === countsUntil(grantedAt)
      ? { ...one, count: one.count - 1, links: one.links - links }
      : one,
  );
  return { ...budget, calls: withCall(others, kind, endedAt) };
}

function countedIn(budget: Budget, now: number) {
  const calls: CallsOfSecond[] = [];
  let used = 0;
  let usedForLinks = 0;
  for (const one of budget.calls) {
    if (one.until <= now || one.count <= 0) continue;
    calls.push(one);
    used += one.count;
    usedForLinks += one.links;
  }
  const ceiling = budget.ceiling && budget.ceiling.until > now ? budget.ceiling : undefined;
  return { calls, used, usedForLinks, ceiling };
}

function withCall(calls: readonly CallsOfSecond[], kind: CallKind, now: number): CallsOfSecond[] {
  const last = calls.at(-1);
  // Another replica's clock may be slightly ahead of ours.
  const until = Math.max(countsUntil(now), last?.until ?? 0);
  const links = kind === 'posted' ? 1 : 0;
  if (last?.until !== until) return [...calls, { until, count: 1, links }];
  return [...calls.slice(0, -1), { until, count: last.count + 1, links: last.links + links }];
}

/** Counted from the end of the second. */
const countsUntil = (moment: number) =>
  (Math.floor(moment / SECOND_MS) + 1) * SECOND_MS + COUNTS_FOR_MS;

/** The same budget by a clock this many seconds behind, or ahead if negative. Exact, so that it can be undone. */
export function moveBack(budget: Budget, seconds: number): Budget {
  if (seconds === 0) return budget;
  const { calls, ceiling, waitUntil } = budget;
  const by = seconds * SECOND_MS;
  return {
    ...budget,
    calls: calls.map((one) => ({ ...one, until: one.until - by })),
    ceiling: ceiling && { ...ceiling, until: ceiling.until - by },
    // 0 means that there is nothing to wait for.
    waitUntil: waitUntil === 0 ? 0 : Math.max(0, waitUntil - by),
  };
}
