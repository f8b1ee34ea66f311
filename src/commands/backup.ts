import {
  copyFileSync,
  existsSync,
  lstatSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { settingsFromEnvironment } from '../config/config.ts';
import { environment } from '../config/settings.ts';
import {
  lockDatabase,
  MIGRATION_TABLE,
  migrate,
  openDatabase,
  refuseNewer,
} from '../store/database.ts';
import { isDamaged } from '../store/database-errors.ts';
import { DatabaseError, isPostgres, reasonOf } from '../store/database-location.ts';
import { createRequestStore } from '../store/requests.ts';
import {
  DATABASE_PARTS,
  LOGS,
  lastBackupOf,
  locateSqlite,
  ownFilesOf,
  removeDatabase,
  setAside,
  unfinishedRestoreOf,
} from '../store/sqlite/path.ts';
import { makePrivateFile, setMode } from '../store/sqlite/private-files.ts';

export async function backUp(target: string): Promise<void> {
  const path = sqlitePath();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      removeDatabase(unfinishedBackupOf(target));
      process.exit(1);
    });
  }
  await backUpDatabase(path, target);
  process.stdout.write(
    `Backed up ${path} to ${target}. Keep ENCRYPTION_KEYS too, but in another place: without them, the API keys in the backup can't be read.\n`,
  );
}

export async function restore(source: string): Promise<void> {
  const path = sqlitePath();
  const { doubtful, keptAs } = await restoreDatabase(source, path, new Date());
  process.stdout.write(`Restored ${path} from ${source}.\n`);
  if (keptAs) {
    const isLog = LOGS.some((log) => keptAs.endsWith(log));
    const what = isLog ? 'A log without its database' : 'The previous database';
    process.stdout.write(`${what} was kept as ${keptAs}.\n`);
  }
  if (doubtful > 0) {
    process.stdout.write(
      `Requests that were waiting to be sent when the backup was made, and may have been sent since: ${doubtful}. The app will ask their authors.\n`,
    );
  }
}

/** @throws DatabaseError for a Postgres database, which has its own tools */
function sqlitePath(): string {
  const needed = environment.pick({ DATABASE_URL: true });
  const { DATABASE_URL: database } = settingsFromEnvironment(needed);
  if (!isPostgres(database)) return database.path;
  throw new DatabaseError(
    'DATABASE_URL is a Postgres database. Back it up with pg_dump, and restore it with pg_restore, or use the tools of your provider.',
  );
}

/**
 * All pages in one step, on another thread, while the app continues to write. With several steps, SQLite would
 * start over after each write between them (https://sqlite.org/backup.html), and never finish with a busy app.
 */
const PAGES_AT_A_TIME = 2_147_483_647;

const unfinishedBackupOf = (to: string) => `${to}.unfinished`;

/**
 * Copies the database while the app runs, to a private file that is either complete or absent.
 *
 * @throws DatabaseError if there is no database, or the target is taken or can't be written
 */
export async function backUpDatabase(from: string, to: string): Promise<void> {
  try {
    requireFile('database', from);
    const real = locateSqlite(from);
    refuseTaken(to, real);
    const unfinished = unfinishedBackupOf(to);
    try {
      // Left by a backup that was killed.
      removeDatabase(unfinished);
      makePrivateFile(unfinished);
      // Not read-only: if the app is stopped, a read-only connection would leave -wal and -shm files behind.
      using source = new DatabaseSync(real);
      await backup(source, unfinished, { rate: PAGES_AT_A_TIME });
      const problem = problemOf(unfinished);
      if (problem) throw new DatabaseError(`The backup of ${from} failed: the copy ${problem}.`);
      renameSync(unfinished, to);
    } finally {
      removeDatabase(unfinished);
    }
    recordBackup(from, to);
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    throw new DatabaseError(`The backup of ${from} failed: ${reasonOf(error)}.`, error);
  }
}

function recordBackup(from: string, to: string): void {
  try {
    writeFileSync(lastBackupOf(from), '', { mode: 0o600 });
  } catch (error) {
    throw new DatabaseError(
      `The backup ${to} is complete, but its time can't be recorded: ${reasonOf(error)}.`,
      error,
    );
  }
}

/** A log beside a backup would be restored with it, and the app deletes or replaces files of its own. */
function refuseTaken(to: string, database: string): void {
  const folder = statSync(dirname(to), { throwIfNoEntry: false });
  if (!folder?.isDirectory()) throw new DatabaseError(`There is no folder ${dirname(to)}.`);
  const taken = DATABASE_PARTS.map((part) => to + part).find((file) =>
    lstatSync(file, { throwIfNoEntry: false }),
  );
  if (taken) throw new DatabaseError(`${taken} already exists. Choose another file.`);
  const target = join(realpathSync(dirname(to)), basename(to));
  const own = ownFilesOf(database);
  if (own.includes(target) || own.includes(unfinishedBackupOf(target))) {
    throw new DatabaseError(`${to} is a file of the app itself. Choose another file.`);
  }
}

/** Checks a copy, and makes it a single file, without a log. @returns what is wrong, as in “is damaged” */
function problemOf(path: string): string | undefined {
  using copy = new DatabaseSync(path);
  try {
    const result = copy.prepare('PRAGMA integrity_check').get()?.integrity_check;
    if (result !== 'ok') return 'is damaged';
    copy.exec('PRAGMA journal_mode = DELETE');
    // SQLite takes an empty file for an empty database.
    const found = copy.prepare(`select 1 from sqlite_master where name = '${MIGRATION_TABLE}'`);
    return found.get() ? undefined : 'is not a database of this app';
  } catch (error) {
    if (isDamaged(error)) return 'is damaged or not a database';
    throw error;
  }
}

/**
 * Replaces the database with a backup, which isn't changed. Requests that were waiting to be sent when it was made may
 * have been sent since, so they are put in doubt.
 *
 * @param to the database, which may be a link. An existing one is renamed
 * @throws DatabaseError, for example if the app is running or the backup is damaged; the database is unchanged then, or
 * set aside if the last step failed
 */
export async function restoreDatabase(
  from: string,
  to: string,
  now: Date,
): Promise<{ doubtful: number; keptAs: string | undefined }> {
  try {
    requireFile('backup', from);
    using _lock = await lockDatabase({ path: to });
    const real = locateSqlite(to);
    // SQLite looks for a log beside the file, not beside a link to it.
    const source = realpathSync(from);
    if (ownFilesOf(real).includes(source)) {
      throw new DatabaseError(`${from} is a file of the app itself, not a backup.`);
    }
    const unfinished = unfinishedRestoreOf(real);
    try {
      if (existsSync(real)) requireFile('database', real);
      const doubtful = await prepareCopy(source, unfinished, now);
      const keptAs = setAside(real, 'before', now);
      // Last and atomically, so that a failure before this leaves the database as it was.
      renameSync(unfinished, real);
      return { doubtful, keptAs };
    } finally {
      removeDatabase(unfinished);
    }
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    throw new DatabaseError(`The restore of ${from} failed: ${reasonOf(error)}.`, error);
  }
}

function requireFile(what: string, path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) throw new DatabaseError(`There is no ${what} at ${path}.`);
  if (!found.isFile()) throw new DatabaseError(`The ${what} ${path} is not a file.`);
}

/** @returns how many requests it put in doubt */
async function prepareCopy(from: string, to: string, now: Date): Promise<number> {
  try {
    removeDatabase(to);
    // With its logs: a previous database has one if the app was killed before it was set aside.
    for (const part of ['', ...LOGS].filter((one) => existsSync(from + one))) {
      copyFileSync(from + part, to + part);
      // It also copies the mode, and a backup may be read-only.
      setMode(to + part);
    }
    const problem = problemOf(to);
    if (problem) throw new DatabaseError(`${from} ${problem}. Try another backup.`);
    await using db = openDatabase({ path: to });
    await refuseNewer(db, from);
    await migrate(db);
    const doubtful = await createRequestStore(db).doubtAllPending(now);
    // Closing would do the same, but without an error if the disk is full.
    await sql`pragma wal_checkpoint(truncate)`.execute(db);
    return doubtful;
  } catch (error) {
    const why = error instanceof DatabaseError ? error.message : `${reasonOf(error)}.`;
    throw new DatabaseError(`The backup can't be restored: ${why} Nothing was changed.`, error);
  }
}
