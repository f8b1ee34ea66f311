import { onTestFinished } from 'vitest';

const real = performance.now.bind(performance);
/** How far `performance.now` is ahead of the real clock, in ms. It never goes back, not even when a test ends. */
let ahead = () => 0;
performance.now = () => real() + ahead();

/**
 * Makes the clock of `performance.now` run faster in this process until the test ends. By this clock writes wait for a
 * lock of an SQLite file, and replicas measure their own leases.
 */
export function speedUpMonotonicClock(times = 20): void {
  const start = real();
  const before = ahead();
  ahead = () => before + (times - 1) * (real() - start);
  onTestFinished(() => advanceMonotonicClock(0));
}

/** Moves the clock of `performance.now` ahead in this process. It then runs at its usual speed. */
export function advanceMonotonicClock(ms: number): void {
  const now = ahead() + ms;
  ahead = () => now;
}
