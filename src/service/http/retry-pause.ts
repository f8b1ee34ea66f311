/** The longest pause between two attempts of a read, in ms. */
export const MAX_RETRY_PAUSE_MS = 5_000;

/**
 * Exponential backoff with full jitter, in ms: between 0 and base × 2^retries.
 *
 * @param retries how many retries there were before
 * @param baseMs upper bound of the first pause, in ms
 * @param chance a random number from 0 to below 1
 */
export function retryPauseMs(retries: number, baseMs: number, chance: number): number {
  return Math.floor(chance * Math.min(baseMs * 2 ** retries, MAX_RETRY_PAUSE_MS));
}
