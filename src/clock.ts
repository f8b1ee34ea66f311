/** Clocks that should agree, such as those of two replicas, differ by less than this, in ms. */
export const CLOCKS_DIFFER_MS = 60_000;

/**
 * Notices a clock that is set back, by a person or by the machine. Moments that were worked out before lie
 * too far ahead then: whatever waits for one of them would wait that much longer.
 *
 * @returns tells whether the clock was set back, by more than a minute, since it was last asked
 */
export function watchForSetBack(now: () => Date): () => boolean {
  let latest = Number.NEGATIVE_INFINITY;
  return () => {
    const moment = now().getTime();
    const isSetBack = moment < latest - CLOCKS_DIFFER_MS;
    latest = isSetBack ? moment : Math.max(latest, moment);
    return isSetBack;
  };
}

/**
 * A clock in ms that only goes forward: it stands still where the other one is set back. For how long
 * something lasts, which must not grow with that.
 */
export function forwardOnly(now: () => Date): () => number {
  let last = now().getTime();
  let forward = last;
  return () => {
    const moment = now().getTime();
    forward += Math.max(0, moment - last);
    last = moment;
    return forward;
  };
}
