import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import type { CrashDatabase } from './database.ts';

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
    if (tookMs > PERHAPS_LOCKED_AFTER_MS && (await areAllLocked(of, before))) return;
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
  /** Increases with everything that happens. */
  activity: () => number;
  /** Whether a call or a delivery is between its sender and its receiver. */
  isOnItsWay: () => boolean;
  /** How many statements are running or waiting for another process's lock, and what else is done outside. */
  workingOutside: () => number;
  database: Pick<CrashDatabase, 'waitingForLocks'>;
};
