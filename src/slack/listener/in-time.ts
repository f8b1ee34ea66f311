/**
 * Slack waits 3 s for an acknowledgment. What it depends on is in memory, except after a restart or on another
 * replica: then it is waited for, but no longer than this, in ms.
 */
const WAIT_MS = 2_000;

/** What an acknowledgment depends on, or `ifLate` if that takes too long. */
export async function inTime<Result>(work: Promise<Result>, ifLate: Result): Promise<Result> {
  const { promise: tooLate, resolve } = Promise.withResolvers<Result>();
  const timer = setTimeout(resolve, WAIT_MS, ifLate);
  return Promise.race([work, tooLate]).finally(() => clearTimeout(timer));
}
