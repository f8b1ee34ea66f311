/**
 * Bounds an `LRUCache` to so many entries. Its own `max` would reserve memory for all of them at once: together the
 * app's caches took 8 MB while they were empty.
 */
export const atMost = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 });
