import { LRUCache } from 'lru-cache';
import { forAtMost } from '../clock.ts';

const WINDOW_MS = 60_000;
/** The oldest are forgotten first, so memory is bounded whoever asks. */
const CLIENTS_MAX = 10_000;

/** Allows each client this many requests to this process in a minute, which begins with its first one. */
export function createRateLimit({ perMinute, now }: { perMinute: number; now: () => Date }) {
  const counts = new LRUCache<string, number>({
    max: CLIENTS_MAX,
    ...forAtMost(WINDOW_MS, now),
    noUpdateTTL: true,
  });
  return {
    /** Counts a request. @returns undefined if it may proceed, otherwise how long to wait, in seconds */
    take(client: string): number | undefined {
      const count = (counts.get(client) ?? 0) + 1;
      counts.set(client, count);
      if (count <= perMinute) return undefined;
      return Math.ceil(counts.getRemainingTTL(client) / 1_000);
    },
  };
}
