import { existsSync, renameSync, rmSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import { DatabaseError } from '../database-error.ts';
import { type DatabaseLocation, isPostgres } from '../database-location.ts';
import { DATABASE_PARTS, locateSqlite } from './path.ts';
import { makePrivateFile } from './private-files.ts';

/** @throws DatabaseError for a Postgres database, which has its own tools */
export function fileOf(location: DatabaseLocation): string {
  if (!isPostgres(location)) return location.path;
  throw new DatabaseError(
    'DATABASE_URL is a Postgres database. Back it up with pg_dump or the tools of your provider.',
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
  if (existsSync(to)) throw new DatabaseError(`${to} exists already. Choose another file.`);
  const unfinished = unfinishedPathOf(to);
  try {
    // Left by a backup that was killed.
    removeDatabase(unfinished);
    makePrivateFile(unfinished);
    await copyDatabase(locateSqlite(from), unfinished);
    checkDatabase(unfinished, 'The copy');
    renameSync(unfinished, to);
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new DatabaseError(`The backup failed: ${reason}.`, error);
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
 * @param name for the message
 * @throws DatabaseError if it is damaged or not a database
 */
export function checkDatabase(path: string, name: string): void {
  const copy = new DatabaseSync(path);
  try {
    const result = copy.prepare('PRAGMA integrity_check').get()?.integrity_check;
    if (result !== 'ok') throw new DatabaseError(`${name} is damaged: ${String(result)}.`);
    copy.exec('PRAGMA journal_mode = DELETE');
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    throw new DatabaseError(`${name} can't be read as a database.`, error);
  } finally {
    copy.close();
  }
}

/** Removes a database with its write-ahead log. */
export function removeDatabase(path: string): void {
  for (const part of DATABASE_PARTS) rmSync(`${path}${part}`, { force: true });
}
