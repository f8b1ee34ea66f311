import { type Budget, callsLeft, MARGIN_MS, takeCall, WINDOW_MS } from './budget.ts';
import { type CallClass, MOST_AT_ONCE, reserveAbove } from './call-class.ts';
import type { GatedCall } from './gate.ts';
import { createLine, type Line } from './line.ts';

/** What a call is given: a grant of that moment, or the moment (ms) at which there may be one. */
export type Turn = { grantedAt: number } | { at: number };

/** A call as far as its turn depends on it. */
type Asking = { callClass: CallClass; call: GatedCall };

/** Shares out one key's calls: who goes, and when the others come back. */
export type Turns = {
  /** Gives turns in the order given. Asked again with a newer budget, it decides anew. */
  decide(
    asking: readonly Asking[],
    budget: Budget,
    now: number,
  ): { budget: Budget; result: Turn[] };
  /** To be called once for each call that was given its turn, or that was refused. */
  served(asking: Asking, now: number): void;
  /**
   * Names the moment for a call that is not made now. Those that come back by themselves are told
   * different ones, in the order in which they asked, as far apart as the budget refills.
   */
  comeBackAt(asking: Asking, at: number): Date;
  /** Notes how long a call took, in ms. */
  took(ms: number): void;
};

/** Nobody is told to come back sooner, in ms: who found no place would find none at once either. */
const SHORTEST_PAUSE_MS = 250;
/** How much the newest call counts for the usual duration of calls. */
const NEWEST_COUNTS = 0.2;

export function createTurns(deps: { now: () => Date; budget: () => Budget }): Turns {
  /** Orders that wait in the table of jobs, and links that do. */
  const orders = createLine(deps.now);
  const links = createLine(deps.now);
  let usualMs = 0;

  function lineOf({ callClass, call }: Asking): Line | undefined {
    if (callClass === 'posted') return links;
    return comesBackByItself(call) ? orders : undefined;
  }

  function apartMs(callClass: CallClass): number {
    const { limit } = deps.budget();
    const refillMs = (WINDOW_MS + MARGIN_MS) / (limit - reserveAbove(callClass, limit));
    return Math.max(refillMs, usualMs / MOST_AT_ONCE[callClass]);
  }

  /** How many calls this one has to leave: its reserve, and what others were promised. */
  function toLeave({ callClass, call }: Asking, limit: number, now: number): number {
    const promised = comesBackByItself(call) ? 0 : orders.due(now);
    const reserve = reserveAbove(callClass, limit);
    if (callClass === 'person' || callClass === 'posted') return reserve + promised;
    return reserve + promised + links.length(now);
  }

  return {
    decide(asking, budget, now) {
      let left = budget;
      // Whoever asks while a moment has come is taken for the one to whom it was named.
      let dueLinks = links.due(now);
      const result = asking.map((one): Turn => {
        const leave = toLeave(one, left.limit, now);
        if (one.callClass === 'posted' && links.length(now) > 0) {
          const isNew = dueLinks === 0;
          dueLinks = Math.max(0, dueLinks - 1);
          // Nobody passes those who were told to wait, unless there is enough for them all.
          if (isNew && callsLeft(left, now) <= leave + links.length(now)) return { at: now };
        }
        const taken = takeCall(left, leave, now);
        if ('at' in taken) return taken;
        left = taken.budget;
        return { grantedAt: now };
      });
      return { budget: left, result };
    },
    served: (one, now) => lineOf(one)?.leave(now),
    comeBackAt(one, at) {
      const now = deps.now().getTime();
      // Who found no place may find no budget either.
      const budget = deps.budget();
      const taken = takeCall(budget, toLeave(one, budget.limit, now), now);
      const affordableAt = 'at' in taken ? taken.at : now;
      const earliest = Math.ceil(Math.max(at, affordableAt, now + SHORTEST_PAUSE_MS));
      return new Date(lineOf(one)?.join(earliest, apartMs(one.callClass)) ?? earliest);
    },
    took(ms) {
      usualMs = usualMs === 0 ? ms : usualMs + NEWEST_COUNTS * (ms - usualMs);
    },
  };
}

/** A creation does not wait in memory: while it is "being sent", nobody could say that it was not. */
export const comesBackByItself = ({ method }: GatedCall): boolean => method === 'POST';
