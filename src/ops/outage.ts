import type { Log } from './logging.ts';

export type Outage = {
  /** @param forMs how long nothing may fail before it counts as over */
  failed(reason: string | undefined, forMs: number): void;
  worked(): void;
};

/** Logs once that something fails, and once that it works again, however often both are reported. */
export function createOutage(log: Log, words: { begins: string; ends: string }): Outage {
  /** Undefined while it works. */
  let until: number | undefined;
  return {
    failed(reason, forMs) {
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
