import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';

/** Lets deliveries from Slack, which waits for them, go before stored jobs. */
export type Backpressure = {
  /** To be called for each delivery that is stored as a job. */
  arrived(): void;
  /**
   * Resolves when another job may begin. SQLite answers within one turn of the event loop, so a long row of
   * jobs that wait for nothing else would keep every acknowledgment waiting until its end.
   */
  ready(): Promise<void>;
};

/** It is a flood while this many arrived within this many ms, some 2,000 a second: jobs wait then. */
const FLOOD = 16;
const FLOOD_MS = 8;
/** In a flood a job still begins every so many ms; the end of the flood is noticed this often. */
const LONGEST_WAIT_MS = 25;
const LOOK_EVERY_MS = 2;

export function createBackpressure(): Backpressure {
  /** When the last ones arrived, by `performance.now()`, oldest first. */
  const times: number[] = [];
  const isFlood = (now: number) => times.length === FLOOD && now - (times[0] ?? now) < FLOOD_MS;

  return {
    arrived() {
      times.push(performance.now());
      if (times.length > FLOOD) times.shift();
    },

    async ready() {
      const until = performance.now() + LONGEST_WAIT_MS;
      await turn();
      for (let now = performance.now(); now < until && isFlood(now); now = performance.now()) {
        await sleep(LOOK_EVERY_MS);
      }
    },
  };
}
