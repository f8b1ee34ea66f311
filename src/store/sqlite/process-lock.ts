import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { isLocked } from './busy.ts';
import { locateSqlite, lockPathOf } from './path.ts';
import { makePrivateFile } from './private-files.ts';

/** Keeps a second process off a database file. */
export type ProcessLock = { release(): void };

const LOOK_AGAIN_MS = 250;

/**
 * Takes the lock of a database file, waiting for a process that is stopping.
 *
 * The lock is SQLite's own on a file beside the database, held in an open transaction: the operating
 * system gives it back when the process ends, however it ends, and no clock can break it.
 *
 * @param path of the database file, directly or by links; its folder is created where it doesn't exist
 * @returns undefined where another process still holds it after `waitMs`
 */
export async function takeProcessLock(
  path: string,
  { waitMs }: { waitMs: number },
): Promise<ProcessLock | undefined> {
  const lockPath = lockPathOf(locateSqlite(path));
  makePrivateFile(lockPath);
  for (let waited = 0; ; waited += LOOK_AGAIN_MS) {
    const lock = tryLock(lockPath);
    if (lock || waited >= waitMs) return lock;
    await setTimeout(LOOK_AGAIN_MS);
  }
}

function tryLock(path: string): ProcessLock | undefined {
  const file = new DatabaseSync(path, { timeout: 0 });
  try {
    // Nothing is ever written, so no journal has to lie beside it.
    file.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return { release: () => file.close() };
  } catch (error) {
    file.close();
    if (isLocked(error)) return undefined;
    throw error;
  }
}
