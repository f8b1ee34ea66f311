import { LRUCache } from 'lru-cache';

const WINDOW_MS = 60_000;
/** The oldest are forgotten first, so memory is bounded whoever asks. */
const CLIENTS_MAX = 10_000;

/** Allows each client this many requests to this process in a minute, which begins with its first one. */
export function createRateLimit({ perMinute, now }: { perMinute: number; now: () => Date }) {
  const windows = new LRUCache<string, { startedAt: number; count: number }>({ max: CLIENTS_MAX });
  return {
    /** Counts a request. @returns undefined if it may proceed, otherwise how long to wait, in seconds */
    take(client: string): number | undefined {
      const at = now().getTime();
      const known = windows.get(client);
      const isCurrent = known !== undefined && Math.abs(at - known.startedAt) < WINDOW_MS;
      const window = isCurrent ? known : { startedAt: at, count: 0 };
      window.count += 1;
      windows.set(client, window);
      if (window.count <= perMinute) return undefined;
      return Math.ceil((window.startedAt + WINDOW_MS - at) / 1_000);
    },
  };
}
