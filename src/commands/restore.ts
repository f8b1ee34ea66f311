import { copyFileSync, existsSync, renameSync, statSync } from 'node:fs';
import { configFromEnvironment } from '../config/config.ts';
import { lockDatabase, migrate, openDatabase, refuseNewer } from '../store/database.ts';
import { DatabaseError, reasonOf } from '../store/database-location.ts';
import { createRequestStore } from '../store/requests.ts';
import {
  locateSqlite,
  removeDatabase,
  setAside,
  unfinishedRestoreOf,
} from '../store/sqlite/path.ts';
import { setMode } from '../store/sqlite/private-files.ts';
import { fileOf, problemOf } from './backup.ts';

/**
 * Replaces the database with a backup. Requests that were waiting to be sent when the backup was made may have been
 * sent since, so they are put in doubt.
 *
 * @param from path of the backup, which isn't changed
 * @param to path of the database, which may be a link. An existing one is renamed
 * @returns how many requests were put in doubt, and the new path of the previous database
 * @throws DatabaseError, for example if the app is running or the backup is damaged; the database is unchanged then
 */
export async function restoreDatabase(
  from: string,
  to: string,
  now: Date,
): Promise<{ doubtful: number; keptAs: string | undefined }> {
  requireFile('backup', from);
  const lock = await lockDatabase({ path: to });
  const real = locateSqlite(to);
  const unfinished = unfinishedRestoreOf(real);
  try {
    if (existsSync(real)) requireFile('database', real);
    const doubtful = await prepareCopy(from, unfinished, now);
    const keptAs = setAside(real, 'before', now);
    // Last and atomically, so that a failure before this leaves the database as it was.
    renameSync(unfinished, real);
    return { doubtful, keptAs };
  } finally {
    removeDatabase(unfinished);
    lock.release();
  }
}

function requireFile(what: string, path: string): void {
  if (!existsSync(path)) throw new DatabaseError(`There is no ${what} at ${path}.`);
  if (!statSync(path).isFile()) throw new DatabaseError(`The ${what} ${path} is not a file.`);
}

async function prepareCopy(from: string, to: string, now: Date): Promise<number> {
  try {
    removeDatabase(to);
    copyDatabase(from, to);
    const problem = problemOf(to);
    if (problem) throw new DatabaseError(`${from} ${problem}. Try another backup.`);
    return await migrateCopy(to, from, now);
  } catch (error) {
    const why = error instanceof DatabaseError ? error.message : `${reasonOf(error)}.`;
    throw new DatabaseError(`The backup can't be restored: ${why} Nothing was changed.`, error);
  }
}

/** With its write-ahead log, which a previous database has that was set aside after the app was killed. */
function copyDatabase(from: string, to: string): void {
  for (const part of ['', '-wal']) {
    if (!existsSync(`${from}${part}`)) continue;
    copyFileSync(`${from}${part}`, `${to}${part}`);
    // It also copies the mode, and a backup may be read-only.
    setMode(`${to}${part}`);
  }
}

async function migrateCopy(path: string, name: string, now: Date): Promise<number> {
  const db = openDatabase({ path });
  try {
    await refuseNewer(db, name);
    await migrate(db);
    return await createRequestStore(db).doubtAllPending(now);
  } finally {
    await db.destroy();
  }
}

export async function restore(backup: string): Promise<void> {
  const path = fileOf(configFromEnvironment().database);
  const { doubtful, keptAs } = await restoreDatabase(backup, path, new Date());
  process.stdout.write(`Restored ${path} from ${backup}.\n`);
  if (keptAs) process.stdout.write(`The previous database was kept as ${keptAs}.\n`);
  if (doubtful > 0) {
    process.stdout.write(
      `${doubtful} requests were waiting to be sent when the backup was made, and may have been sent since. The app will ask their authors.\n`,
    );
  }
}
