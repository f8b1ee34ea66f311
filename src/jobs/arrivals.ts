import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';

/** What comes in, which goes before what is under way already: Slack waits for it. */
export type Arrivals = {
  /** To be called for each. */
  count(): void;
  /**
   * Lets in what arrives, before another job begins. SQLite answers within one turn of the event loop, so a
   * long row of jobs that wait for nothing else would let in no acknowledgement before its end.
   */
  letIn(): Promise<void>;
};

/** It is a flood while the last so many came within so many ms, some 2,000 a second: a job waits then. */
const FLOOD = 16;
const FLOOD_MS = 8;
/** In a flood a job begins every so many ms, and all the while it is looked for its end. */
const LONGEST_WAIT_MS = 25;
const LOOK_EVERY_MS = 2;

export function createArrivals(): Arrivals {
  /** When the last ones came, by `performance.now()`, oldest first. */
  const times: number[] = [];
  const isFlood = (now: number) => times.length === FLOOD && now - (times[0] ?? now) < FLOOD_MS;

  return {
    count() {
      times.push(performance.now());
      if (times.length > FLOOD) times.shift();
    },

    async letIn() {
      const until = performance.now() + LONGEST_WAIT_MS;
      await turn();
      for (let now = performance.now(); now < until && isFlood(now); now = performance.now()) {
        await sleep(LOOK_EVERY_MS);
      }
    },
  };
}
