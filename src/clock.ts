/** The most by which the clocks of two replicas, for example, may differ, in ms. */
export const CLOCKS_DIFFER_MS = 60_000;

/** @returns whether the clock was set back since the last call: what was scheduled would be late */
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

/** Bounds an `LRUCache`, whose own `max` reserves memory for all entries: 8 MB for our caches. */
export const atMost = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 });

/** Expires an `LRUCache`'s entries by the app's clock; setting it back makes no difference. */
export const forAtMost = (ms: number, now: () => Date) => ({
  ttl: ms,
  ttlResolution: 0,
  perf: { now: forwardOnly(now) },
});
