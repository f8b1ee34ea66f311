/**
 * Bounds an LRUCache to so many entries; the one used longest ago gives way. By its own `max` lru-cache
 * would lay out all its places at once, and the app's caches have a hundred thousand of them: a twentieth of
 * the start, for what few processes ever fill.
 */
export const upTo = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 });
