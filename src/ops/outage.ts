import type { Log } from './logging.ts';

/** Logs once that something fails, and once that it works again, however often both are reported. */
export function createOutage(log: Log, words: { begins: string; ends: string }) {
  /** Undefined while it works. */
  let until: number | undefined;
  return {
    /** @param forMs how long nothing may fail before it counts as over */
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
