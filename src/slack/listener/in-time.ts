/**
 * Slack waits 3 s for an acknowledgment. The data it needs is usually in memory; after a restart or
 * on another replica it is loaded, for at most this long, in ms. In a form that is loading, people
 * don't wait longer either.
 */
const WAIT_MS = 2_000;

/**
 * Waits for data that an acknowledgment or a form needs.
 *
 * @returns `ifLate` if it takes too long
 */
export async function inTime<Result>(work: Promise<Result>, ifLate: Result): Promise<Result> {
  const { promise: timeout, resolve } = Promise.withResolvers<Result>();
  const timer = setTimeout(resolve, WAIT_MS, ifLate);
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}
