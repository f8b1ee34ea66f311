import { lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { DatabaseError } from '../database-error.ts';
import { makePrivateFolder } from './private-files.ts';

/** An SQLite database is up to three files: its write-ahead log and that log's index lie beside it. */
export const DATABASE_PARTS = ['', '-wal', '-shm'] as const;

/** The same for every path to a database, so that what is put beside it is found by each of them. */
export const lockPathOf = (databasePath: string): string => `${databasePath}.lock`;

/** Where a restore prepares the database that replaces the one at this path. */
export const unfinishedRestoreOf = (databasePath: string): string => `${databasePath}.unfinished`;

/**
 * The one path of an SQLite file, whichever links lead to it. Its folder is created where it doesn't exist.
 *
 * @param path as it was configured; the file need not exist yet
 * @throws DatabaseError where the folder can't be created, or the file has a second name
 */
export function locateSqlite(path: string): string {
  try {
    const real = realPathOf(path);
    refuseHardLinks(path, real);
    return real;
  } catch (error) {
    throw error instanceof DatabaseError ? error : cannotOpen(path, error);
  }
}

/** Says in words why a database can't be opened. */
export function cannotOpen(path: string, error: unknown): DatabaseError {
  const reason = error instanceof Error ? error.message : String(error);
  return new DatabaseError(`The database ${path} can't be opened: ${reason}.`, error);
}

function realPathOf(path: string): string {
  // Also throws where links lead in a circle.
  if (statSync(path, { throwIfNoEntry: false })) return realpathSync.native(path);
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) {
    // The file that it leads to doesn't exist yet.
    return realPathOf(resolve(realpathSync.native(dirname(path)), readlinkSync(path)));
  }
  makePrivateFolder(dirname(path));
  return join(realpathSync.native(dirname(path)), basename(path));
}

/**
 * SQLite finds the log of a file by the file's name: by another name of the same file it would work without
 * that log, and damage the file (https://sqlite.org/howtocorrupt.html#multiple_links_to_the_same_file).
 */
function refuseHardLinks(path: string, real: string): void {
  const found = lstatSync(real, { throwIfNoEntry: false });
  if (!found?.isFile() || found.nlink <= 1) return;
  throw new DatabaseError(
    `The database ${path} has a second name (a hard link), and SQLite would damage a file that is used by both. Remove the other name; \`find <folder> -samefile ${path}\` finds it.`,
  );
}
