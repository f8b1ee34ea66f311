import { forwardOnly } from './clock.ts';

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
