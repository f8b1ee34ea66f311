import type { Log } from './logging.ts';

/** Logs once that something fails, and once that it works again, however often both are reported. */
export function createOutage(log: Log, words: { begins: string; ends: string }) {
  /** Undefined while it works, otherwise when it may count as over, by `performance.now()`. */
  let until: number | undefined;
  return {
    /** @param forMs how long nothing must fail before the outage counts as over */
    failed(reason: string | undefined, forMs: number) {
      if (until === undefined) log.error({ reason }, words.begins);
      until = Math.max(until ?? 0, performance.now() + forMs);
    },
    worked() {
      if (until === undefined || performance.now() < until) return;
      until = undefined;
      log.info(words.ends);
    },
  };
}
