import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { nextOutsideEvent } from '../process/simulated-process.ts';
import type { CrashDatabase } from './database.ts';

type Held = { processName: string; label: string; release: () => void };

export type Schedule = ReturnType<typeof createSchedule>;

/** When all other code is idle, so that runs are repeatable. @param choose picks one of so many, from 0 */
export function createSchedule(choose: (count: number) => number = () => 0) {
  const held: Held[] = [];
  return {
    hold: (processName: string, label: string) =>
      new Promise<void>((release) => {
        held.push({ processName, label, release });
      }),
    /** Lets one go on. @returns false if none may */
    releaseOne(mayGoOn: (processName: string) => boolean = () => true): boolean {
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

export type Condition = () => boolean | Promise<boolean>;

type Waiter = { isSo: Condition; until: number; resolve: (isSo: boolean) => void };

/** Conditions that people and the test wait for, in virtual time. */
export function createWaiters(now: () => number) {
  const waiting = new Set<Waiter>();
  return {
    /** @returns whether the condition became true in time */
    until: (isSo: Condition, patienceMs: number) =>
      new Promise<boolean>((resolve) => {
        waiting.add({ isSo, until: now() + patienceMs, resolve });
      }),
    /** Ends the wait of one whose condition is true or whose time is over. @returns false if there is none */
    async wakeOne(): Promise<boolean> {
      for (const waiter of waiting) {
        const isSo = await waiter.isSo();
        if (!isSo && now() < waiter.until) continue;
        waiting.delete(waiter);
        waiter.resolve(isSo);
        return true;
      }
      return false;
    },
  };
}

/** Turns of the event loop without activity after which the code counts as idle. */
const QUIET_TURNS = 4;
/** Real time, in ms, after which the run has hung. */
const STUCK_AFTER_MS = 30_000;
/** A statement that takes longer, in real ms, may be waiting for another process's lock. */
const PERHAPS_LOCKED_AFTER_MS = 30;

/** 1 ms of real time, for work that nobody watches. */
export const pause = (): Promise<unknown> => sleep(1);

/** Resolves when all code waits for the test to go on. */
export async function quiet(of: Watched): Promise<void> {
  const since = performance.now();
  const isGoingOn = () => of.isOnItsWay() || of.workingOutside() > 0;
  for (let before = -1; before !== of.activity() || isGoingOn(); ) {
    const tookMs = performance.now() - since;
    if (tookMs > STUCK_AFTER_MS) throw new Error('The run hangs.');
    before = of.activity();
    for (let turns = 0; turns < QUIET_TURNS; turns += 1) await turn();
    if (before !== of.activity() || of.workingOutside() === 0) continue;
    await nextOutsideEvent(PERHAPS_LOCKED_AFTER_MS);
    if (before === of.activity() && (await areAllLocked(of, before))) return;
  }
}

async function areAllLocked(
  { activity, isOnItsWay, workingOutside, database }: Watched,
  before: number,
): Promise<boolean> {
  const locked = await database.waitingForLocks();
  return locked >= workingOutside() && before === activity() && !isOnItsWay();
}

type Watched = {
  activity: () => number;
  /** Whether a call or a delivery is between its sender and its receiver. */
  isOnItsWay: () => boolean;
  /** How many statements are running or waiting for another process's lock, and what else is done outside. */
  workingOutside: () => number;
  database: Pick<CrashDatabase, 'waitingForLocks'>;
};
