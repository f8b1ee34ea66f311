import { existsSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { configFromEnvironment } from '../config/config.ts';
import { MIGRATION_TABLE } from '../store/database.ts';
import {
  DatabaseError,
  type DatabaseLocation,
  isPostgres,
  reasonOf,
} from '../store/database-location.ts';
import { lastBackupOf, locateSqlite, removeDatabase } from '../store/sqlite/path.ts';
import { makePrivateFile } from '../store/sqlite/private-files.ts';

/** @throws DatabaseError for a Postgres database, which has its own tools */
export function fileOf(location: DatabaseLocation): string {
  if (!isPostgres(location)) return location.path;
  throw new DatabaseError(
    'DATABASE_URL is a Postgres database. Back it up with pg_dump, and restore it with pg_restore, or use the tools of your provider.',
  );
}

/**
 * All pages in one step, on another thread, while the app continues to write. With several steps, SQLite would
 * start over after each write between them (https://sqlite.org/backup.html), and never finish with a busy app.
 */
const PAGES_AT_A_TIME = 2_147_483_647;

const unfinishedPathOf = (to: string) => `${to}.unfinished`;

/**
 * Copies the database while the app runs. The copy is a single file that other users can't read. It is checked
 * before it gets its name, so it is either complete or absent.
 *
 * @param from path of the database file
 * @param to path of the copy, which must not exist
 * @throws DatabaseError
 */
export async function backUpDatabase(from: string, to: string): Promise<void> {
  if (!existsSync(from)) throw new DatabaseError(`There is no database at ${from}.`);
  if (existsSync(to)) throw new DatabaseError(`${to} already exists. Choose another file.`);
  const folder = dirname(to);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new DatabaseError(`There is no folder ${folder}. Create it, or choose another one.`);
  }
  const unfinished = unfinishedPathOf(to);
  try {
    // Left by a backup that was killed.
    removeDatabase(unfinished);
    makePrivateFile(unfinished);
    await copyDatabase(locateSqlite(from), unfinished);
    const problem = problemOf(unfinished);
    if (problem) throw new DatabaseError(`The backup of ${from} failed: the copy ${problem}.`);
    renameSync(unfinished, to);
    writeFileSync(lastBackupOf(from), '', { mode: 0o600 });
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    throw new DatabaseError(`The backup of ${from} failed: ${reasonOf(error)}.`, error);
  } finally {
    removeDatabase(unfinished);
  }
}

/** Call this when a backup is interrupted. */
export const removeUnfinishedBackup = (to: string): void => removeDatabase(unfinishedPathOf(to));

async function copyDatabase(from: string, to: string): Promise<void> {
  // Not read-only: if the app is stopped, a read-only connection would leave -wal and -shm files behind.
  const source = new DatabaseSync(from);
  try {
    await backup(source, to, { rate: PAGES_AT_A_TIME });
  } finally {
    source.close();
  }
}

/**
 * Checks a copy that no one else has opened, and makes it a single file, without a write-ahead log.
 *
 * @returns what is wrong with it, as in “is damaged”
 */
export function problemOf(path: string): string | undefined {
  const copy = new DatabaseSync(path);
  try {
    const result = copy.prepare('PRAGMA integrity_check').get()?.integrity_check;
    if (result !== 'ok') return 'is damaged';
    copy.exec('PRAGMA journal_mode = DELETE');
    // SQLite takes an empty file for an empty database.
    const found = copy.prepare(`select 1 from sqlite_master where name = '${MIGRATION_TABLE}'`);
    return found.get() ? undefined : 'is not a database of this app';
  } catch {
    return 'is damaged or not a database';
  } finally {
    copy.close();
  }
}

export async function backUp(target: string): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      removeUnfinishedBackup(target);
      process.exit(1);
    });
  }
  const path = fileOf(configFromEnvironment().database);
  await backUpDatabase(path, target);
  process.stdout.write(
    `Backed up ${path} to ${target}. Keep ENCRYPTION_KEYS too, but in another place: without them, the API keys in the backup can't be read.\n`,
  );
}
