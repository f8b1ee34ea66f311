import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { checkDatabase } from './backup.ts';
import { DatabaseError, lockDatabase, migrate, openDatabase } from './database.ts';
import { createRequestStore } from './requests.ts';

/**
 * Puts a backup in the place of the database. What the backup holds as waiting to be sent may have been
 * sent since it was made, so its authors are asked instead of ordering twice.
 *
 * @param from path of the backup, which stays as it is
 * @param to path of the database; one that is there is kept beside it
 * @returns how many requests became doubtful, and where the earlier database lies
 * @throws DatabaseError in words, also where the app is running
 */
export async function restoreDatabase(
  from: string,
  to: string,
  now: Date,
): Promise<{ doubtful: number; keptAs: string | undefined }> {
  if (!existsSync(from)) throw new DatabaseError(`There is no backup at ${from}.`);
  checkDatabase(from);
  const lock = await lockDatabase({ path: to });
  const unfinished = `${to}.unfinished`;
  try {
    removeDatabase(unfinished);
    copyFileSync(from, unfinished);
    const doubtful = await prepare(unfinished, now);
    const keptAs = setAside(to, now);
    // Last, and all at once: whatever ends this before leaves the database as it was.
    renameSync(unfinished, to);
    return { doubtful, keptAs };
  } finally {
    removeDatabase(unfinished);
    lock.release();
  }
}

/** Brings the copy up to date, and makes doubtful what it holds as waiting. */
async function prepare(path: string, now: Date): Promise<number> {
  const db = openDatabase({ path });
  try {
    await migrate(db);
    return await createRequestStore(db).doubtAllUndelivered(now);
  } finally {
    await db.destroy();
  }
}

/** Beside a database lie its write-ahead log and its index, which belong to no other. */
const PARTS = ['', '-wal', '-shm'] as const;

/** Keeps what is there, damaged or not, under another name. */
function setAside(path: string, now: Date): string | undefined {
  if (!existsSync(path)) return undefined;
  const keptAs = `${path}.before-${now.toISOString().replaceAll(':', '-')}`;
  for (const part of PARTS) {
    if (existsSync(`${path}${part}`)) renameSync(`${path}${part}`, `${keptAs}${part}`);
  }
  return keptAs;
}

function removeDatabase(path: string): void {
  for (const part of PARTS) rmSync(`${path}${part}`, { force: true });
}
