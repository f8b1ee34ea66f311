import { copyFileSync, existsSync, renameSync } from 'node:fs';
import { lockDatabase, migrate, openDatabase } from '../database.ts';
import { DatabaseError } from '../database-error.ts';
import { createRequestStore } from '../requests.ts';
import { checkDatabase, removeDatabase } from './backup.ts';
import { locateSqlite, unfinishedRestoreOf } from './path.ts';
import { makePrivate } from './private-files.ts';
import { setAside } from './set-aside.ts';

/**
 * Replaces the database with a backup. Requests that were waiting to be sent when the backup was made may have been
 * sent since, so they are put in doubt.
 *
 * @param from path of the backup, which isn't changed
 * @param to path of the database, which may be a link. An existing one is renamed
 * @returns how many requests were put in doubt, and the new path of the previous database
 * @throws DatabaseError, for example if the app is running
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
    // Last and atomically, so that a failure before this leaves the database as it was.
    renameSync(unfinished, real);
    return { doubtful, keptAs };
  } finally {
    removeDatabase(unfinished);
    lock.release();
  }
}

/** Migrates the copy, and puts its undelivered requests in doubt. */
async function prepare(path: string, now: Date): Promise<number> {
  const db = openDatabase({ path });
  try {
    await migrate(db);
    return await createRequestStore(db).doubtAllUndelivered(now);
  } finally {
    await db.destroy();
  }
}
