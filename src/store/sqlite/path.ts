import { lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { DatabaseError, reasonOf } from '../database-error.ts';
import { makePrivateFolder } from './private-files.ts';

/** The suffixes of an SQLite database's files: the database, its write-ahead log, and the log's index. */
export const DATABASE_PARTS = ['', '-wal', '-shm'] as const;

/** @param databasePath from `locateSqlite` */
export const lockPathOf = (databasePath: string): string => `${databasePath}.lock`;

/** Where a restore prepares the new database. @param databasePath from `locateSqlite` */
export const unfinishedRestoreOf = (databasePath: string): string => `${databasePath}.unfinished`;

/**
 * Resolves all links in the path of an SQLite file. Creates its folder if it doesn't exist.
 *
 * @param path as configured; the file need not exist yet
 * @throws DatabaseError if the folder can't be created, or the file has a hard link
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

export function cannotOpen(path: string, error: unknown): DatabaseError {
  return new DatabaseError(
    `The database ${path} in DATABASE_URL can't be opened: ${reasonOf(error)}.`,
    error,
  );
}

function realPathOf(path: string): string {
  // Also throws for circular links.
  if (statSync(path, { throwIfNoEntry: false })) return realpathSync.native(path);
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) {
    // A link to a file that doesn't exist yet.
    return realPathOf(resolve(realpathSync.native(dirname(path)), readlinkSync(path)));
  }
  makePrivateFolder(dirname(path));
  return join(realpathSync.native(dirname(path)), basename(path));
}

/**
 * SQLite finds a file's log by the file's name, so under another name of the same file it would ignore the log and
 * damage the file (https://sqlite.org/howtocorrupt.html#multiple_links_to_the_same_file).
 */
function refuseHardLinks(path: string, real: string): void {
  const found = lstatSync(real, { throwIfNoEntry: false });
  if (!found?.isFile() || found.nlink <= 1) return;
  throw new DatabaseError(
    `The database ${path} has a second name (a hard link), and SQLite would damage a file that is used under both. Remove the other one; \`find <folder> -samefile ${path}\` finds it.`,
  );
}
