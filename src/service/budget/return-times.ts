import { watchForSetBack } from '../../clock.ts';

/**
 * Those who were told when to come back, in the order in which they asked. Nobody stands in it: it is the
 * moments that were named, so that those who come back do so one by one and find what they were promised.
 */
export type ReturnTimes = {
  /**
   * Names the moment for one more: not before `at`, and after whoever was told before.
   *
   * @param at in ms since 1970
   * @param apartMs how far apart they come back
   */
  join(at: number, apartMs: number): number;
  /** Somebody came back, or may have: the first whose moment has come stands here no more. */
  leave(now: number): void;
  /** How many moments have come for which nobody came back yet. */
  due(now: number): number;
  /** How many were told, due or not. */
  length(now: number): number;
};

/** Who has not come back by then, in ms after the moment, found what they wanted elsewhere. */
const LAPSES_AFTER_MS = 3_000;
/** Moments that are remembered; those of a longer line are named all the same. */
const LONGEST_LINE = 1_000;
/** Nobody is told to come back later than this, in ms, however long the line is. */
const LONGEST_WAIT_MS = 60 * 60_000;

export function createReturnTimes(now: () => Date): ReturnTimes {
  let moments: number[] = [];
  let last = Number.NEGATIVE_INFINITY;
  const isClockSetBack = watchForSetBack(now);

  function standing(moment: number): number[] {
    // By this clock their moments come too late: whoever stood here comes back before them.
    if (isClockSetBack()) moments = [];
    moments = moments.filter((at) => at > moment - LAPSES_AFTER_MS);
    return moments;
  }

  return {
    join(at, apartMs) {
      const moment = now().getTime();
      const behind = standing(moment).length > 0 ? last + apartMs : at;
      last = Math.ceil(Math.min(Math.max(at, behind), moment + LONGEST_WAIT_MS));
      if (moments.length < LONGEST_LINE) moments.push(last);
      return last;
    },
    leave(moment) {
      const [first] = standing(moment);
      if (first !== undefined && first <= moment) moments.shift();
    },
    due: (moment) => standing(moment).filter((at) => at <= moment).length,
    length: (moment) => standing(moment).length,
  };
}
