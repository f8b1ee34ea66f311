import { type Budget, callsLeft, MARGIN_MS, takeCall, WINDOW_MS } from './budget.ts';
import {
  type Asking,
  type CallKind,
  kindOf,
  LINKS_GET_ONE_IN,
  MOST_AT_ONCE,
  reserveAbove,
} from './call-class.ts';
import { createReturnTimes, type ReturnTimes } from './return-times.ts';

/** What a call is given: a grant of that moment, or the moment (ms) at which there may be one. */
type Allocation = { grantedAt: number } | { at: number };

/** Shares out one key's calls: who goes, and when the others come back. */
export type Allocator = {
  /** Gives turns in the order given. Asked again with a newer budget, it decides anew. */
  decide(
    asking: readonly Asking[],
    budget: Budget,
    now: number,
  ): { budget: Budget; result: Allocation[] };
  /** To be called once for each call that begins. */
  began(asking: Asking, now: number): void;
  /**
   * Names the moment at which to ask again, for a call that is refused. Those that come back by themselves
   * are told different ones, in the order in which they asked, as far apart as the budget refills.
   */
  comeBackAt(asking: Asking, at: number): Date;
  /** Notes how long a call took, in ms. */
  took(ms: number): void;
};

/** Nobody is told to come back sooner, in ms: who found no place would find none at once either. */
const SHORTEST_PAUSE_MS = 250;
/** How much the newest call counts for the usual duration of calls. */
const NEWEST_COUNTS = 0.2;

/** Calls that people make while links wait, for each call that links get at least. */
const PEOPLE_PER_LINK = LINKS_GET_ONE_IN - 1;

export function createAllocator(deps: { now: () => Date; budget: () => Budget }): Allocator {
  /** Submissions and links that wait in the table of jobs. */
  const submissions = createReturnTimes(deps.now);
  const links = createReturnTimes(deps.now);
  const lines: Partial<Record<CallKind, ReturnTimes>> = { submission: submissions, posted: links };
  /**
   * Calls of others that began while links waited, less those that links have made up for. At most a
   * minute's: links that something else kept waiting don't take everything when that is over.
   */
  let pastLinks = 0;
  let usualMs = 0;

  function apartMs(one: Asking): number {
    const { limit } = deps.budget();
    const refillMs = (WINDOW_MS + MARGIN_MS) / (limit - reserveAbove(one.callClass, limit));
    return Math.max(refillMs, usualMs / MOST_AT_ONCE[kindOf(one)]);
  }

  function countPast(past: number, one: Asking, { limit }: Budget, now: number): number {
    if (kindOf(one) === 'posted') return Math.max(0, past - PEOPLE_PER_LINK);
    return links.length(now) > 0 ? Math.min(past + 1, Math.max(limit, PEOPLE_PER_LINK)) : past;
  }

  /** How many of the calls that are left belong to the links that wait. */
  const owedToLinks = (past: number, now: number) =>
    Math.min(Math.floor(past / PEOPLE_PER_LINK), links.length(now));

  /** How many calls this one has to leave: its reserve, and what others were promised or are owed. */
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
      // Whoever asks while a moment has come is taken for the one to whom it was named.
      let dueLinks = links.due(now);
      const result = asking.map((one): Allocation => {
        const leave = toLeave(one, left, past, now);
        if (kindOf(one) === 'posted' && links.length(now) > 0) {
          const isNew = dueLinks === 0;
          dueLinks = Math.max(0, dueLinks - 1);
          // Nobody passes those who were told to wait, unless there is enough for them all.
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
      lines[kindOf(one)]?.leave(now);
    },
    comeBackAt(one, at) {
      const now = deps.now().getTime();
      const line = lines[kindOf(one)];
      line?.leave(now);
      // Whoever found no slot may find no budget either.
      const budget = deps.budget();
      const taken = takeCall(budget, toLeave(one, budget, pastLinks, now), now);
      const affordableAt = 'at' in taken ? taken.at : now;
      const earliest = Math.ceil(Math.max(at, affordableAt, now + SHORTEST_PAUSE_MS));
      return new Date(line?.join(earliest, apartMs(one)) ?? earliest);
    },
    took(ms) {
      usualMs = usualMs === 0 ? ms : usualMs + NEWEST_COUNTS * (ms - usualMs);
    },
  };
}
