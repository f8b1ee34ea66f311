import {
  existsSync,
  lstatSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { DatabaseError, reasonOf } from '../database-location.ts';
import { makePrivate, makePrivateFolder } from './private-files.ts';

/** The suffixes of an SQLite database's files: the database, its write-ahead log, and the log's index. */
export const DATABASE_PARTS = ['', '-wal', '-shm'] as const;

export const lockPathOf = (path: string): string => `${path}.lock`;

/** An empty file whose time says when a database was last backed up. */
export const lastBackupOf = (path: string): string => `${path}.last-backup`;

/** Where a restore prepares the new database. */
export const unfinishedRestoreOf = (path: string): string => `${path}.unfinished`;

/** Resolves all links in the configured path of an SQLite file, and creates its folder if it doesn't exist. */
export function locateSqlite(path: string): string {
  try {
    const real = realPathOf(path);
    refuseHardLinks(path, real);
    return real;
  } catch (error) {
    throw error instanceof DatabaseError ? error : cannotOpen(path, error);
  }
}

export function removeDatabase(path: string): void {
  for (const part of DATABASE_PARTS) rmSync(`${path}${part}`, { force: true });
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

/** Why a database was renamed: its rows are in Postgres now, or a restore put a backup in its place. */
type Why = 'moved' | 'before';

/**
 * Renames an SQLite database with its log. A log whose database is lost is renamed, too: SQLite would apply it to
 * whatever database is put in its place.
 *
 * @returns the new path, or undefined if there is no database
 */
export function setAside(path: string, why: Why, now: Date): string | undefined {
  const keptAs = `${path}.${why}-${now.toISOString().replaceAll(':', '-')}`;
  for (const part of DATABASE_PARTS) {
    if (!existsSync(`${path}${part}`)) continue;
    makePrivate(`${path}${part}`);
    renameSync(`${path}${part}`, `${keptAs}${part}`);
  }
  return existsSync(keptAs) ? keptAs : undefined;
}

/** An empty database in place of one that was set aside would take requests that belong in the other one. */
export function refuseBesideSetAside(path: string): void {
  const folder = statSync(dirname(path), { throwIfNoEntry: false });
  if (existsSync(path) || !folder?.isDirectory()) return;
  const name = basename(path);
  const beside = readdirSync(dirname(path)).sort();
  const databases = beside.filter((one) => !/-(?:wal|shm)$/.test(one));
  const newest = (why: Why) => databases.findLast((one) => one.startsWith(`${name}.${why}-`));
  const moved = newest('moved');
  if (moved !== undefined) {
    throw new DatabaseError(
      `The database ${path} was moved to Postgres, and is kept as ${moved}. Set DATABASE_URL to the Postgres database. To begin with an empty one here, move that file to another folder.`,
    );
  }
  const before = newest('before');
  const left = existsSync(unfinishedRestoreOf(path)) ? unfinishedRestoreOf(path) : before;
  if (left === undefined) return;
  // What was stored last may be only in its log.
  const kept = DATABASE_PARTS.filter((part) => beside.includes(`${before}${part}`));
  const renames = kept.map((part) => `rename ${before}${part} to ${name}${part}`);
  throw new DatabaseError(
    `A restore of ${path} didn't end: the database is missing, and ${join(dirname(path), basename(left))} is beside it. Run \`npm run app -- restore\` again${before === undefined ? '' : `, or ${renames.join(', and ')}`}.`,
  );
}
