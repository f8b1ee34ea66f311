import { existsSync, renameSync, rmSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import { DatabaseError } from '../database-error.ts';
import { type DatabaseLocation, isPostgres } from '../database-location.ts';
import { DATABASE_PARTS, locateSqlite } from './path.ts';
import { makePrivateFile } from './private-files.ts';

/**
 * The file of a database that lies in one.
 *
 * @throws DatabaseError where it is a Postgres, which has tools of its own
 */
export function fileOf(location: DatabaseLocation): string {
  if (!isPostgres(location)) return location.path;
  throw new DatabaseError(
    'DATABASE_URL names a Postgres database. Back it up with pg_dump, or as your provider does.',
  );
}

/**
 * All in one step, which sees the database as it is when it begins, in a thread of its own; the app goes on
 * writing meanwhile. SQLite begins anew whenever somebody writes between two steps
 * (https://sqlite.org/backup.html), so several steps would never end beside a busy app.
 */
const PAGES_AT_A_TIME = 2_147_483_647;

const unfinishedPathOf = (to: string) => `${to}.unfinished`;

/**
 * Copies the database while the app runs. The copy is one file, which is whole or not there at all: it is
 * made beside its place, checked, and only then put into it. Other users can't read it.
 *
 * @param from path of the database file
 * @param to path of the copy; must not exist
 * @throws DatabaseError in words
 */
export async function backUpDatabase(from: string, to: string): Promise<void> {
  if (!existsSync(from)) throw new DatabaseError(`There is no database at ${from}.`);
  if (existsSync(to)) throw new DatabaseError(`${to} exists already; name another file.`);
  const unfinished = unfinishedPathOf(to);
  try {
    // An earlier backup may have been killed.
    removeDatabase(unfinished);
    makePrivateFile(unfinished);
    await copyDatabase(locateSqlite(from), unfinished);
    checkDatabase(unfinished, 'The copy');
    renameSync(unfinished, to);
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new DatabaseError(`The backup could not be made: ${reason}.`, error);
  } finally {
    removeDatabase(unfinished);
  }
}

/** To be called where a backup is interrupted. */
export const removeUnfinishedBackup = (to: string): void => removeDatabase(unfinishedPathOf(to));

async function copyDatabase(from: string, to: string): Promise<void> {
  // Not read-only: where the app is stopped, such a connection would leave a log and its index behind.
  const source = new DatabaseSync(from);
  try {
    await backup(source, to, { rate: PAGES_AT_A_TIME });
  } finally {
    source.close();
  }
}

/**
 * Checks a copy that nobody else has opened, and makes it a single file, without a write-ahead log.
 *
 * @param name of what it is a copy of
 * @throws DatabaseError where it is damaged or no database
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

/** Removes a database with everything that belongs to it. */
export function removeDatabase(path: string): void {
  for (const part of DATABASE_PARTS) rmSync(`${path}${part}`, { force: true });
}
