import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { DatabaseError, reasonOf } from '../database-location.ts';
import { makePrivate, makePrivateFolder } from './private-files.ts';

/**
 * The suffixes of a database's write-ahead log, and of the rollback journal that SQLite uses when it begins or ends
 * the use of such a log. SQLite applies either to whatever database is beside it (https://sqlite.org/tempfiles.html).
 */
export const LOGS = ['-wal', '-journal'] as const;

/** The suffixes of all files of an SQLite database; the last one is an index of its log, and can be made again. */
export const DATABASE_PARTS = ['', ...LOGS, '-shm'] as const;

export const lockPathOf = (path: string): string => `${path}.lock`;

/** An empty file whose time says when a database was last backed up. */
export const lastBackupOf = (path: string): string => `${path}.last-backup`;

/** Where a restore prepares the new database. */
export const unfinishedRestoreOf = (path: string): string => `${path}.unfinished`;

/** Every file that the app makes for a database. */
export const ownFilesOf = (path: string): string[] => [
  ...[path, unfinishedRestoreOf(path)].flatMap((one) => DATABASE_PARTS.map((part) => one + part)),
  lockPathOf(path),
  lastBackupOf(path),
];

/** Resolves all links in the configured path of an SQLite file, and creates its folder if it doesn't exist. */
export function locateSqlite(path: string): string {
  try {
    makePrivateFolder(dirname(followLinks(path)));
    const real = followLinks(path);
    refuseHardLinks(path, real);
    return real;
  } catch (error) {
    throw error instanceof DatabaseError ? error : cannotOpen(path, error);
  }
}

/** @throws DatabaseError if one of its files can't be removed, for example because it is a folder */
export function removeDatabase(path: string): void {
  for (const file of DATABASE_PARTS.map((part) => path + part)) {
    try {
      rmSync(file, { force: true });
    } catch (error) {
      throw new DatabaseError(`The file ${file} can't be removed: ${reasonOf(error)}.`, error);
    }
  }
}

export function cannotOpen(path: string, error: unknown): DatabaseError {
  return new DatabaseError(
    `The database ${path} in DATABASE_URL can't be opened: ${reasonOf(error)}.`,
    error,
  );
}

/** Where the file is, or will be. Its folder need not exist. */
function followLinks(path: string): string {
  // Also throws for circular links.
  if (statSync(path, { throwIfNoEntry: false })) return realpathSync.native(path);
  const folder = dirname(path);
  if (!existsSync(folder)) return path;
  const realFolder = realpathSync.native(folder);
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()
    ? followLinks(resolve(realFolder, readlinkSync(path)))
    : join(realFolder, basename(path));
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
 * Renames an SQLite database with its logs. At every moment, all of them are beside the database, under its old or
 * its new name. Logs whose database is lost are renamed, too.
 *
 * @returns the new path of the database, or else of a log; undefined if there is none
 * @throws DatabaseError if the files can't be copied or renamed; the database is unchanged then
 */
export function setAside(path: string, why: Why, now: Date): string | undefined {
  const to = `${path}.${why}-${now.toISOString().replaceAll(':', '-')}`;
  const kept = ['', ...LOGS].filter((part) => existsSync(path + part));
  try {
    for (const log of kept.filter((part) => part !== '')) {
      writeFileSync(to + log, readFileSync(path + log), { mode: 0o600, flush: true });
    }
    if (kept.includes('')) {
      makePrivate(path);
      renameSync(path, to);
    }
  } catch (error) {
    for (const log of LOGS) rmSync(to + log, { force: true });
    throw new DatabaseError(`The database ${path} can't be renamed: ${reasonOf(error)}.`, error);
  }
  removeDatabase(path);
  return kept[0] === undefined ? undefined : to + kept[0];
}

/** What is added to the name of a database that is set aside, and to the names of its logs. */
const SET_ASIDE = /^\.(?:moved|before)-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z(?:-wal|-journal)?$/;

/** An empty database in place of one that was set aside or lost would take requests that belong in the other one. */
export function refuseBesideSetAside(configured: string): void {
  const path = followLinks(configured);
  const folder = statSync(dirname(path), { throwIfNoEntry: false });
  if (existsSync(path) || !folder?.isDirectory()) return;
  const name = basename(path);
  const added = readdirSync(dirname(path))
    .filter((one) => one.startsWith(name))
    .map((one) => one.slice(name.length));
  const left = [...LOGS, ...DATABASE_PARTS.map((part) => unfinishedRestoreOf('') + part)];
  const its = added.filter((one) => SET_ASIDE.test(one) || left.includes(one)).sort();
  if (its.length === 0) return;
  const files = its.map((one) => name + one).join(', ');
  const newest = (why: Why) =>
    its.findLast((one) => one.startsWith(`.${why}-`))?.slice(`.${why}-`.length) ?? '';
  throw new DatabaseError(
    newest('moved') > newest('before')
      ? `The database ${path} was moved to Postgres. Set DATABASE_URL to the Postgres database. To begin with an empty one here, move these files to another folder: ${files}.`
      : `The database ${path} is missing, and these files are beside it: ${files}. Put the database back, or run \`npm run app -- restore\` with a backup or the newest database named “before”. To begin with an empty one, move all of them to another folder.`,
  );
}
