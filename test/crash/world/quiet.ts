import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import type { CrashDatabase } from './database.ts';

/** Turns of the event loop in which nothing may happen any more. */
const QUIET_TURNS = 4;
/** Real time, in ms, after which something was waited for that never comes. */
const STUCK_AFTER_MS = 30_000;
/** A statement that takes longer, in real ms, may wait for a lock of another process. */
const PERHAPS_LOCKED_AFTER_MS = 30;
const NOTHING = new Uint8Array();

/** 1 ms of real time, for what goes on outside of this thread. */
export const pause = (): Promise<unknown> => sleep(1);

/** Resolves when Node's other threads, on which secrets are sealed and opened, have done what they were given. */
async function otherThreads(): Promise<void> {
  // To open a secret takes two steps there.
  for (let steps = 0; steps < 2; steps += 1) {
    await crypto.subtle.digest('SHA-256', NOTHING);
    await turn();
  }
}

/** Resolves when whatever could go on without the test has come to a stop. */
export async function quiet(of: Watched): Promise<void> {
  const since = performance.now();
  const isGoingOn = () => of.isOnItsWay() || of.executing() > 0;
  for (let before = -1; before !== of.activity() || isGoingOn(); ) {
    const tookMs = performance.now() - since;
    if (tookMs > STUCK_AFTER_MS) throw new Error('Something is waited for that never comes.');
    before = of.activity();
    for (let turns = 0; turns < QUIET_TURNS; turns += 1) await turn();
    if (before !== of.activity()) continue;
    if (of.executing() === 0) await otherThreads();
    else if (tookMs > PERHAPS_LOCKED_AFTER_MS && (await areAllLocked(of, before))) return;
  }
}

async function areAllLocked(
  { activity, isOnItsWay, executing, database }: Watched,
  before: number,
): Promise<boolean> {
  const locked = await database.waitingForLocks();
  return locked >= executing() && before === activity() && !isOnItsWay();
}

type Watched = {
  /** Grows with everything that happens. */
  activity: () => number;
  /** Whether a call or a delivery is between its sender and its receiver. */
  isOnItsWay: () => boolean;
  /** How many statements run; those that wait for another process's lock are at a stop. */
  executing: () => number;
  database: Pick<CrashDatabase, 'waitingForLocks'>;
};
