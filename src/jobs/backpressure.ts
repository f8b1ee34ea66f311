import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** Lets deliveries from Slack, which have to be acknowledged in time, go before stored jobs. */
export type Backpressure = {
  /** Call this for each job that is stored; in a burst, nearly all of them are deliveries. */
  jobStored(): void;
  /**
   * Resolves when the next job may start. SQLite answers within one turn of the event loop, so without this a
   * long series of jobs that wait for nothing else would delay every acknowledgment until its end.
   */
  ready(): Promise<void>;
};

/** Jobs wait during a burst: when this many jobs were stored within this time, in ms (2,000 a second). */
const BURST_SIZE = 16;
const BURST_MS = 8;
/** The longest that a job waits for the end of a burst, and how often it checks, in ms. */
const MAX_WAIT_MS = 25;
const CHECK_MS = 2;

export function createBackpressure(): Backpressure {
  /** When the most recent jobs were stored, by `performance.now()`, oldest first. */
  const times: number[] = [];
  const isBurst = (now: number) =>
    times.length === BURST_SIZE && now - (times[0] ?? now) < BURST_MS;

  return {
    jobStored() {
      times.push(performance.now());
      if (times.length > BURST_SIZE) times.shift();
    },

    async ready() {
      const until = performance.now() + MAX_WAIT_MS;
      await nextTurn();
      for (let now = performance.now(); now < until && isBurst(now); now = performance.now()) {
        await sleep(CHECK_MS);
      }
    },
  };
}
