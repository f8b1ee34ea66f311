import { setTimeout } from 'node:timers/promises';
import { onTestFinished, vi } from 'vitest';

/** A cache looks at the clock at most once in this time, in ms. */
const CLOCK_READ_EVERY_MS = 2;

/** Moves the process's monotonic clock, by which caches tell how old something is. */
export function movingClock(): { advance(ms: number): Promise<void> } {
  const now = performance.now.bind(performance);
  let ahead = 0;
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => now() + ahead);
  onTestFinished(() => spy.mockRestore());
  return {
    async advance(ms) {
      ahead += ms;
      await setTimeout(CLOCK_READ_EVERY_MS);
    },
  };
}
