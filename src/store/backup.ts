import { existsSync, renameSync, rmSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import { DatabaseError } from './database-error.ts';
import { type DatabaseLocation, isPostgres } from './database-location.ts';

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

/** Pages copied at a time; between them the app goes on writing. */
const PAGES_AT_A_TIME = 500;

/**
 * Copies the database while the app runs. The copy is whole or it is not there: it is made beside its
 * place, checked, and only then put into it.
 *
 * @param from path of the database file
 * @param to path of the copy; must not exist
 * @param onProgress pages copied so far and in all
 * @throws DatabaseError in words
 */
export async function backUpDatabase(
  from: string,
  to: string,
  onProgress: (done: number, all: number) => void = () => undefined,
): Promise<void> {
  if (!existsSync(from)) throw new DatabaseError(`There is no database at ${from}.`);
  if (existsSync(to)) throw new DatabaseError(`${to} exists already; name another file.`);
  const unfinished = `${to}.unfinished`;
  try {
    const source = new DatabaseSync(from, { readOnly: true });
    try {
      await backup(source, unfinished, {
        rate: PAGES_AT_A_TIME,
        progress: ({ totalPages, remainingPages }) =>
          onProgress(totalPages - remainingPages, totalPages),
      });
    } finally {
      source.close();
    }
    checkDatabase(unfinished);
    renameSync(unfinished, to);
  } catch (error) {
    rmSync(unfinished, { force: true });
    if (error instanceof DatabaseError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new DatabaseError(`The backup could not be made: ${reason}.`, error);
  }
}

/** @throws DatabaseError where the file is damaged or is no database */
export function checkDatabase(path: string): void {
  const copy = new DatabaseSync(path, { readOnly: true });
  try {
    const result = copy.prepare('PRAGMA integrity_check').get()?.integrity_check;
    if (result !== 'ok') throw new DatabaseError(`${path} is damaged: ${String(result)}.`);
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    throw new DatabaseError(`${path} can't be read as a database.`, error);
  } finally {
    copy.close();
  }
}
