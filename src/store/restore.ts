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
  try {
    const keptAs = existsSync(to)
      ? `${to}.before-${now.toISOString().replaceAll(':', '-')}`
      : undefined;
    if (keptAs) {
      // What is still in the write-ahead log belongs to the earlier database.
      await openDatabase({ path: to }).destroy();
      renameSync(to, keptAs);
    }
    for (const rest of ['-wal', '-shm']) rmSync(`${to}${rest}`, { force: true });
    copyFileSync(from, to);
    const db = openDatabase({ path: to });
    try {
      await migrate(db);
      return { doubtful: await createRequestStore(db).doubtAllUndelivered(now), keptAs };
    } finally {
      await db.destroy();
    }
  } finally {
    lock.release();
  }
}
