import { copyFileSync, existsSync, renameSync } from 'node:fs';
import { lockDatabase, migrate, openDatabase } from '../database.ts';
import { DatabaseError } from '../database-error.ts';
import { createRequestStore } from '../requests.ts';
import { checkDatabase, removeDatabase } from './backup.ts';
import { locateSqlite, unfinishedRestoreOf } from './path.ts';
import { makePrivate } from './private-files.ts';
import { setAside } from './set-aside.ts';

/**
 * Replaces the database with a backup. What the backup holds as waiting to be sent may have been sent
 * since it was made, so its authors are asked instead of sending it twice.
 *
 * @param from path of the backup, which stays as it is
 * @param to path of the database, directly or by links; one that is there is kept beside it
 * @returns how many requests became doubtful, and where the earlier database lies
 * @throws DatabaseError in words, also where the app is running
 */
export async function restoreDatabase(
  from: string,
  to: string,
  now: Date,
): Promise<{ doubtful: number; keptAs: string | undefined }> {
  if (!existsSync(from)) throw new DatabaseError(`There is no backup at ${from}.`);
  const lock = await lockDatabase({ path: to });
  const real = locateSqlite(to);
  const unfinished = unfinishedRestoreOf(real);
  try {
    removeDatabase(unfinished);
    copyFileSync(from, unfinished);
    makePrivate(unfinished);
    checkDatabase(unfinished, from);
    const doubtful = await prepare(unfinished, now);
    const keptAs = setAside(real, 'before', now);
    // Last, and all at once: whatever ends this before leaves the database as it was.
    renameSync(unfinished, real);
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
