/** Releases what waits one by one, when all other code is idle, so that runs are repeatable. */
export type Schedule = {
  /** Waits for its turn. */
  hold(processName: string, label: string): Promise<void>;
  /** Lets one go on. @returns false if none may */
  releaseOne(mayGoOn?: (processName: string) => boolean): boolean;
  isEmpty(): boolean;
};

type Held = { processName: string; label: string; release: () => void };

/** @param choose picks one of so many, from 0; by default the first */
export function createSchedule(choose: (count: number) => number = () => 0): Schedule {
  const held: Held[] = [];
  return {
    hold: (processName, label) =>
      new Promise((release) => {
        held.push({ processName, label, release });
      }),
    releaseOne(mayGoOn = () => true) {
      const ready = held
        .filter(({ processName }) => mayGoOn(processName))
        // What arrived together may have arrived in any order.
        .sort(
          (one, other) =>
            compare(one.label, other.label) || compare(one.processName, other.processName),
        );
      const chosen = ready.length > 1 ? ready[choose(ready.length)] : ready[0];
      if (!chosen) return false;
      held.splice(held.indexOf(chosen), 1);
      chosen.release();
      return true;
    },
    isEmpty: () => held.length === 0,
  };
}

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
