import { statSync } from 'node:fs';
import type { Config } from '../config/config.ts';
import type { Log } from '../ops/logging.ts';
import { type Database, lockDatabase, openMigrated, type WrapDialect } from './database.ts';
import { isPostgres } from './database-location.ts';
import { requireKeys } from './encryption/keyring.ts';
import { riskySettings } from './postgres/durability.ts';
import { removeDatabase } from './sqlite/backup.ts';
import { createEraser, type Eraser } from './sqlite/erase.ts';
import { DATABASE_PARTS, locateSqlite, lockPathOf, unfinishedRestoreOf } from './sqlite/path.ts';
import { exposed } from './sqlite/private-files.ts';
import { createStores, type Stores } from './stores.ts';

/** Everything that the app remembers, brought up to date. */
export type OpenedStores = {
  stores: Stores;
  db: Database;
  /** Whether other processes work on it too: replicas share Postgres, SQLite takes one process. */
  isShared: boolean;
  eraser: Eraser;
  /** To be called last. */
  close(): Promise<void>;
};

/**
 * Opens the database for the app: alone with it where it must be, with today's tables, and sealed with
 * the newest encryption key.
 *
 * @throws DatabaseError where it can't be used; OperatorError naming each key in use that the ring lacks
 */
export async function openStores(
  {
    database,
    encryptionKeys,
    lostKeyIds,
  }: Pick<Config, 'database' | 'encryptionKeys' | 'lostKeyIds'>,
  log: Log,
  {
    wrapDialect,
    eraseAfterCrashMs = ERASE_AFTER_CRASH_MS,
  }: { wrapDialect?: WrapDialect | undefined; eraseAfterCrashMs?: number } = {},
): Promise<OpenedStores> {
  const isShared = isPostgres(database);
  const lock = await lockDatabase(database);
  let db: Database | undefined;
  const eraser = isPostgres(database) ? NO_ERASER : createEraser(database.path, log);
  const close = async () => {
    await eraser.end();
    await db?.destroy();
    lock.release();
  };
  try {
    if (!isPostgres(database) && cleanUp(database.path).wasKilled)
      setTimeout(eraser.start, eraseAfterCrashMs).unref();
    db = await openMigrated(database, {
      onLost: (error) => log.warn({ err: error }, 'a connection to the database broke'),
      wrapDialect,
    });
    const stores = createStores(db, encryptionKeys);
    if (!isPostgres(database)) warnOfExposure(database.path, log);
    if (isShared) await warnOfRisks(db, log);
    const shut = await requireKeys(stores.keyring, lostKeyIds);
    // Replicas change their keyring one after the other: there `npm run keys:rotate` does it, after the last.
    const { resealed, unreadable } = isShared
      ? { resealed: 0, unreadable: shut }
      : await stores.keyring.reseal();
    if (resealed > 0)
      log.info({ resealed }, 'API keys or tokens were sealed with the newest encryption key');
    if (unreadable > 0)
      log.error({ unreadable }, 'stored API keys or tokens can’t be read with ENCRYPTION_KEYS');
    return { stores, db, isShared, eraser, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Postgres reclaims the space of deleted rows by its own rules. */
const NO_ERASER: Eraser = { start: () => undefined, end: async () => undefined };

/** A start has enough to do; in ms. */
const ERASE_AFTER_CRASH_MS = 10_000;

/** A process that closes its database leaves no log. One that was killed may have left deleted rows in it. */
function cleanUp(path: string): { wasKilled: boolean } {
  const real = locateSqlite(path);
  // A copy of everything, left by a restore that was killed.
  removeDatabase(unfinishedRestoreOf(real));
  const log = statSync(`${real}-wal`, { throwIfNoEntry: false });
  return { wasKilled: log !== undefined && log.size > 0 };
}

/** What can't be helped here: a file of another owner, or a folder that was there before. */
function warnOfExposure(path: string, log: Log): void {
  const real = locateSqlite(path);
  const paths = exposed([...DATABASE_PARTS.map((part) => `${real}${part}`), lockPathOf(real)]);
  if (paths.length === 0) return;
  log.warn(
    { paths },
    'other users of this machine can get at the database: take their rights away with chmod go-rwx',
  );
}

async function warnOfRisks(db: Database, log: Log): Promise<void> {
  const off = await riskySettings(db);
  if (off.length > 0) log.warn({ off }, 'Postgres may lose what was acknowledged: turn these on');
}
