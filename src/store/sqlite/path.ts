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

/** `toISOString()`, without colons. */
const TIME = /\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z/;

/**
 * Renames an SQLite database with its logs. At every moment, all of them are beside the database, under its old or
 * its new name. Logs whose database is lost are renamed, too.
 *
 * @returns the new path of the database, or else of a log; undefined if there is none
 */
export function setAside(path: string, why: Why, now: Date): string | undefined {
  const to = `${path}.${why}-${now.toISOString().replaceAll(':', '-')}`;
  const kept = ['', ...LOGS].filter((part) => existsSync(path + part));
  for (const log of kept.filter((part) => part !== '')) {
    writeFileSync(to + log, readFileSync(path + log), { mode: 0o600, flush: true });
  }
  if (kept.includes('')) {
    makePrivate(path);
    renameSync(path, to);
  }
  removeDatabase(path);
  return kept[0] === undefined ? undefined : to + kept[0];
}

/** An empty database in place of one that was set aside or lost would take requests that belong in the other one. */
export function refuseBesideSetAside(path: string): void {
  const folder = statSync(dirname(path), { throwIfNoEntry: false });
  if (existsSync(path) || !folder?.isDirectory()) return;
  const name = basename(path);
  const beside = readdirSync(dirname(path)).sort();
  const newest = (why: Why) =>
    beside.findLast((one) => one.replace(TIME, '') === `${name}.${why}-`);
  const moved = newest('moved');
  if (moved !== undefined) {
    throw new DatabaseError(
      `The database ${path} was moved to Postgres, and is kept as ${moved}. Set DATABASE_URL to the Postgres database. To begin with an empty one here, move that file to another folder.`,
    );
  }
  const before = newest('before');
  const logs = LOGS.map((log) => name + log).filter((one) => beside.includes(one));
  const unfinished = basename(unfinishedRestoreOf(path));
  const left = [before, unfinished, ...logs].filter((one) => beside.includes(one ?? ''));
  if (left.length === 0) return;
  const ways = [
    'restore a backup (`npm run app -- restore`)',
    ...(before === undefined ? [] : [goBackTo(before)]),
    'move these files to another folder to begin with an empty one',
  ];
  throw new DatabaseError(
    `The database ${path} is missing, and these files are beside it: ${left.join(', ')}. Put it back, or ${ways.join(', or ')}.`,
  );

  /** The database comes last, as the app can start once it is there. */
  function goBackTo(database: string): string {
    const its = LOGS.filter((log) => beside.includes(database + log));
    const steps = [
      ...logs.map((log) => `move ${log} to another folder`),
      ...its.map((log) => `rename ${database}${log} to ${name}${log}`),
      `rename ${database} to ${name}`,
    ];
    return `go back to what was there before the last restore (${steps.join(', then ')})`;
  }
}
