import { type Budget, callsLeft, MARGIN_MS, takeCall, WINDOW_MS } from './budget.ts';
import {
  type Asking,
  type CallKind,
  kindOf,
  LINKS_GET_ONE_IN,
  MAX_AT_ONCE,
  reserveAbove,
} from './call-class.ts';
import { createReturnTimes, type ReturnTimes } from './return-times.ts';

/** A grant, or when there may be one; in ms. */
type Allocation = { grantedAt: number } | { at: number };

/** Divides one key's calls: which ones are granted, and when to try the others again. */
export type Allocator = {
  /** Decides in the order given. Called again with a newer budget if the store had one. */
  decide(
    asking: readonly Asking[],
    budget: Budget,
    now: number,
  ): { budget: Budget; result: Allocation[] };
  /** Call this once for each call that begins. */
  began(asking: Asking, now: number): void;
  /**
   * When to retry a refused call. Jobs that retry get different times, in the order in which they asked, as far
   * apart as the budget refills.
   */
  comeBackAt(asking: Asking, at: number): Date;
  /** Records the duration of a call, in ms. */
  took(ms: number): void;
};

/** The shortest time before a retry, in ms: a call that found no slot wouldn't find one sooner. */
const SHORTEST_PAUSE_MS = 250;
/** Weight of the newest call in the moving average of durations. */
const NEWEST_WEIGHT = 0.2;

/** While links wait, one call is reserved for them for each of this many other calls. */
const PEOPLE_PER_LINK = LINKS_GET_ONE_IN - 1;

export function createAllocator(deps: { now: () => Date; budget: () => Budget }): Allocator {
  /** Submissions and links that wait in the job table. */
  const submissions = createReturnTimes(deps.now);
  const links = createReturnTimes(deps.now);
  const returnTimes: Partial<Record<CallKind, ReturnTimes>> = {
    submission: submissions,
    posted: links,
  };
  /**
   * Other calls that began while links waited, minus those that links have made up for. At most a minute's
   * worth, so that links that waited for another reason don't take the whole budget afterwards.
   */
  let pastLinks = 0;
  let averageMs = 0;

  function apartMs(one: Asking): number {
    const { limit } = deps.budget();
    const refillMs = (WINDOW_MS + MARGIN_MS) / (limit - reserveAbove(one.callClass, limit));
    return Math.max(refillMs, averageMs / MAX_AT_ONCE[kindOf(one)]);
  }

  function countPast(past: number, one: Asking, { limit }: Budget, now: number): number {
    if (kindOf(one) === 'posted') return Math.max(0, past - PEOPLE_PER_LINK);
    return links.length(now) > 0 ? Math.min(past + 1, Math.max(limit, PEOPLE_PER_LINK)) : past;
  }

  /** How many of the remaining calls are reserved for waiting links. */
  const owedToLinks = (past: number, now: number) =>
    Math.min(Math.floor(past / PEOPLE_PER_LINK), links.length(now));

  /** How many calls this one has to leave for others: its class's reserve, and what they were promised or are owed. */
  function toLeave(one: Asking, { limit }: Budget, past: number, now: number): number {
    const kind = kindOf(one);
    const owed = owedToLinks(past, now);
    if (kind === 'submission') return owed;
    if (kind === 'posted' && owed > 0) return 0;
    const reserve = reserveAbove(one.callClass, limit) + submissions.length(now);
    if (kind === 'posted') return reserve;
    return reserve + (kind === 'person' ? owed : links.length(now));
  }

  return {
    decide(asking, budget, now) {
      let left = budget;
      let past = pastLinks;
      // A link that asks when a return time is due is assumed to be the one that was given this time.
      let dueLinks = links.due(now);
      const result = asking.map((one): Allocation => {
        const leave = toLeave(one, left, past, now);
        if (kindOf(one) === 'posted' && links.length(now) > 0) {
          const isNew = dueLinks === 0;
          dueLinks = Math.max(0, dueLinks - 1);
          // New links don't overtake waiting ones, unless the budget is enough for all.
          if (isNew && callsLeft(left, now) <= leave + links.length(now)) return { at: now };
        }
        const taken = takeCall(left, leave, now);
        if ('at' in taken) return taken;
        left = taken.budget;
        past = countPast(past, one, left, now);
        return { grantedAt: now };
      });
      return { budget: left, result };
    },
    began(one, now) {
      pastLinks = countPast(pastLinks, one, deps.budget(), now);
      returnTimes[kindOf(one)]?.leave(now);
    },
    comeBackAt(one, at) {
      const now = deps.now().getTime();
      const times = returnTimes[kindOf(one)];
      times?.leave(now);
      // A call that was refused because of the slots may lack budget, too.
      const budget = deps.budget();
      const taken = takeCall(budget, toLeave(one, budget, pastLinks, now), now);
      const affordableAt = 'at' in taken ? taken.at : now;
      const earliest = Math.ceil(Math.max(at, affordableAt, now + SHORTEST_PAUSE_MS));
      return new Date(times?.join(earliest, apartMs(one)) ?? earliest);
    },
    took(ms) {
      averageMs = averageMs === 0 ? ms : averageMs + NEWEST_WEIGHT * (ms - averageMs);
    },
  };
}
