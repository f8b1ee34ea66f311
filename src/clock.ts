/** The most by which clocks that should agree may differ, such as those of two replicas, in ms. */
export const CLOCKS_DIFFER_MS = 60_000;

/**
 * Notices when the system clock is set back. Times that were scheduled before would then be reached too late.
 *
 * @returns whether the clock was set back by more than a minute since the last call
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

/** A clock in ms for measuring durations: it stands still when the system clock is set back. */
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

/**
 * Bounds an `LRUCache` to this many entries. Its own `max` would reserve memory for all of them at once: together the
 * app's caches took 8 MB while they were empty.
 */
export const atMost = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 });

/** Expires the entries of an `LRUCache` after this many ms by the app's clock; setting it back makes no difference. */
export const forAtMost = (ms: number, now: () => Date) => ({
  ttl: ms,
  ttlResolution: 0,
  perf: { now: forwardOnly(now) },
});
