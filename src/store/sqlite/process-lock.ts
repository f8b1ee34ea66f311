import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { isLocked } from '../database-errors.ts';
import { DatabaseError } from '../database-location.ts';
import { cannotOpen, locateSqlite, lockPathOf } from './path.ts';
import { makePrivateFile } from './private-files.ts';

/** Prevents a second process from using a database file. */
export type ProcessLock = Disposable;

/** How long a starting process waits for another one to stop, which takes at most 10 s; in ms. */
const WAIT_FOR_STOPPING_MS = 15_000;
const POLL_MS = 250;

/**
 * Makes this process the only one that uses a database file, and waits for one that is stopping.
 *
 * The lock is SQLite's on a file next to the database, held by an open transaction. The operating system releases it
 * whenever and however the process ends, and it doesn't depend on a clock.
 *
 * @param tell called with a sentence if it has to wait; by default, prints it to standard error
 * @throws DatabaseError if another process still uses it after `waitMs`
 */
export async function lockSqlite(
  path: string,
  tell = (sentence: string): void => void process.stderr.write(`${sentence}\n`),
  waitMs = WAIT_FOR_STOPPING_MS,
): Promise<ProcessLock> {
  const lockPath = lockPathOf(locateSqlite(path));
  const used = `Another process is using the database ${path}; \`lsof ${lockPath}\` shows which.`;
  for (let waited = 0; ; waited += POLL_MS) {
    const lock = tryLock(path, lockPath);
    if (lock) return lock;
    if (waited === 0) tell(`${used} Waiting 15 s for it to stop.`);
    if (waited >= waitMs)
      throw new DatabaseError(`${used} Stop it first: only one process at a time can use SQLite.`);
    await setTimeout(POLL_MS);
  }
}

function tryLock(path: string, lockPath: string): ProcessLock | undefined {
  let file: DatabaseSync | undefined;
  try {
    makePrivateFile(lockPath);
    file = new DatabaseSync(lockPath, { timeout: 0 });
    // Nothing is ever written, so it needs no journal file.
    file.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    const opened = file;
    // Node 24 refuses bound functions there.
    return { [Symbol.dispose]: () => opened.close() };
  } catch (error) {
    file?.close();
    if (isLocked(error)) return undefined;
    throw cannotOpen(path, error);
  }
}
