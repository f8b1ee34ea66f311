import { watchForSetBack } from '../../clock.ts';

/**
 * The times at which refused calls were told to retry, in the order in which they asked. They are spread out,
 * so that each call finds budget when it returns. Times are in ms since 1970.
 */
export type ReturnTimes = {
  /**
   * Chooses the time for one more call: not before `at`, and after all others.
   *
   * @param apartMs the distance to the previous one
   */
  join(at: number, apartMs: number): number;
  /** A call has returned: removes the first time that is due. */
  leave(now: number): void;
  /** How many times are due for which no call has returned yet. */
  due(now: number): number;
  /** How many calls are expected, due or not. */
  length(now: number): number;
};

/** A call that hasn't returned this long after its time isn't expected any more, in ms. */
const EXPIRES_AFTER_MS = 3_000;
/** How many times are remembered. Further calls get a time, too. */
const MAX_REMEMBERED = 1_000;
/** No call has to wait longer than this, in ms. */
const LONGEST_WAIT_MS = 60 * 60_000;

export function createReturnTimes(now: () => Date): ReturnTimes {
  let moments: number[] = [];
  let last = Number.NEGATIVE_INFINITY;
  const isClockSetBack = watchForSetBack(now);

  function expected(moment: number): number[] {
    // After the clock was set back, the times would be too late.
    if (isClockSetBack()) moments = [];
    moments = moments.filter((at) => at > moment - EXPIRES_AFTER_MS);
    return moments;
  }

  return {
    join(at, apartMs) {
      const moment = now().getTime();
      const next = expected(moment).length > 0 ? last + apartMs : at;
      last = Math.ceil(Math.min(Math.max(at, next), moment + LONGEST_WAIT_MS));
      if (moments.length < MAX_REMEMBERED) moments.push(last);
      return last;
    },
    leave(moment) {
      const [first] = expected(moment);
      if (first !== undefined && first <= moment) moments.shift();
    },
    due: (moment) => expected(moment).filter((at) => at <= moment).length,
    length: (moment) => expected(moment).length,
  };
}
