/** What waits to go on. One at a time does, when nothing else goes on, so that runs repeat themselves. */
export type Schedule = {
  /** Resolves when it is this one's turn. */
  hold(processName: string, label: string): Promise<void>;
  /** Lets one go on. @returns false where none may */
  releaseOne(mayGoOn?: (processName: string) => boolean): boolean;
  isEmpty(): boolean;
};

type Held = { processName: string; label: string; release: () => void };

/** @param choose which of so many goes on, from 0; always the first unless given */
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
        // Those that came together may have come in any order.
        .sort((one, other) => one.label.localeCompare(other.label));
      const chosen = ready[choose(ready.length)];
      if (!chosen) return false;
      held.splice(held.indexOf(chosen), 1);
      chosen.release();
      return true;
    },
    isEmpty: () => held.length === 0,
  };
}
