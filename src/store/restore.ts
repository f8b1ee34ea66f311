import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { checkDatabase } from './backup.ts';
import { lockDatabase, migrate, openDatabase } from './database.ts';
import { DatabaseError } from './database-error.ts';
import { createRequestStore } from './requests.ts';
import { DATABASE_PARTS, setAside } from './set-aside.ts';

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
    const keptAs = setAside(to, 'before', now);
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

function removeDatabase(path: string): void {
  for (const part of DATABASE_PARTS) rmSync(`${path}${part}`, { force: true });
}
