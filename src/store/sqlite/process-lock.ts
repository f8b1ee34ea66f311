import { readFileSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { isLocked } from './dialect.ts';
import { locateSqlite, lockPathOf } from './path.ts';
import { makePrivateFile } from './private-files.ts';

/** Prevents a second process from using a database file. */
export type ProcessLock = { release(): void };

const POLL_MS = 250;

/**
 * Takes the lock of a database file, and waits for a process that is stopping.
 *
 * It is SQLite's lock on a file next to the database, held by an open transaction. The operating system releases it
 * whenever and however the process ends, and it doesn't depend on a clock.
 *
 * @param path of the database file, which may be a link; its folder is created if it doesn't exist
 * @param onWait called once if another process holds it, with its ID if that can be found out
 * @returns undefined if another process still holds the lock after `waitMs`
 */
export async function takeProcessLock(
  path: string,
  { waitMs, onWait }: { waitMs: number; onWait?: (holder: number | undefined) => void },
): Promise<ProcessLock | undefined> {
  const lockPath = lockPathOf(locateSqlite(path));
  makePrivateFile(lockPath);
  for (let waited = 0; ; waited += POLL_MS) {
    const lock = tryLock(lockPath);
    if (lock) return lock;
    if (waited === 0) onWait?.(holderOf(lockPath));
    if (waited >= waitMs) return undefined;
    await setTimeout(POLL_MS);
  }
}

/** Only Linux tells (proc_locks(5)), and only about processes that this one can see. */
function holderOf(lockPath: string): number | undefined {
  try {
    const { ino } = statSync(lockPath);
    const lines = readFileSync('/proc/locks', 'utf8').split('\n');
    const [, pid] = lines
      .map((line) => / WRITE +(\d+) [\da-f:]+:(\d+) /.exec(line) ?? [])
      .find(([, , inode]) => inode === String(ino)) ?? ['', ''];
    return Number(pid) || undefined;
  } catch {
    return undefined;
  }
}

function tryLock(path: string): ProcessLock | undefined {
  const file = new DatabaseSync(path, { timeout: 0 });
  try {
    // Nothing is ever written, so it needs no journal file.
    file.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return { release: () => file.close() };
  } catch (error) {
    file.close();
    if (isLocked(error)) return undefined;
    throw error;
  }
}
