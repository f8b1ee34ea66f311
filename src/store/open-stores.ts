import type { Config } from '../config/config.ts';
import type { Log } from '../ops/logging.ts';
import { type Database, lockDatabase, openMigrated, type WrapDialect } from './database.ts';
import { createWriteCheck } from './database-failures.ts';
import { isPostgres } from './database-location.ts';
import type { OnStep } from './database-steps.ts';
import type { SealErrorReason } from './encryption/sealed-box.ts';
import { missingLimits, riskySettings } from './postgres/pool.ts';
import {
  DATABASE_PARTS,
  locateSqlite,
  lockPathOf,
  removeDatabase,
  unfinishedRestoreOf,
} from './sqlite/path.ts';
import { exposed } from './sqlite/private-files.ts';
import { createStores } from './stores.ts';

/** Locks, opens, and migrates the database, and on SQLite encrypts everything with the first encryption key. */
export async function openStores(
  config: Pick<Config, 'database' | 'encryptionKeys' | 'lostKeyIds'>,
  log: Log,
  options: {
    wrapDialect?: WrapDialect | undefined;
    onStep?: OnStep;
    onUndecryptable?: (reason: SealErrorReason) => void;
  } = {},
) {
  const { database, encryptionKeys, lostKeyIds } = config;
  const isShared = isPostgres(database);
  const lock = await lockDatabase(database, (sentence) => log.warn(sentence));
  let opened: Database | undefined;
  const writeCheck = createWriteCheck(database, log);
  /** Call this last. */
  const close = async () => {
    await opened?.destroy();
    lock.release();
  };
  try {
    const db = await openMigrated(database, {
      onLost: (error) => log.debug({ reason: error.message }, 'lost a connection to the database'),
      onStep(step, seconds, error) {
        options.onStep?.(step, seconds, error);
        writeCheck.note(step, error);
      },
      wrapDialect: options.wrapDialect,
    });
    opened = db;
    const stores = createStores(db, encryptionKeys, log, options.onUndecryptable);
    if (isPostgres(database)) await warnOfRisks(db, log);
    else {
      const real = locateSqlite(database.path);
      // A copy of everything, left by a restore that was killed.
      removeDatabase(unfinishedRestoreOf(real));
      warnOfExposure(real, log);
    }
    const lost = await stores.keyring.require(lostKeyIds);
    // Replicas get a new keyring one after the other, so there an operator runs `npm run app -- rotate-keys` at the end.
    const { resealed, unreadable } = isShared
      ? { resealed: 0, unreadable: lost }
      : await stores.keyring.reseal();
    if (resealed > 0)
      log.info({ resealed }, 'encrypted API keys or tokens again with the first encryption key');
    if (unreadable > 0)
      log.error({ unreadable }, 'some API keys or tokens cannot be decrypted with ENCRYPTION_KEYS');
    return { stores, takesWrites: () => writeCheck.passes(db), isShared, db, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Files of another owner, and folders that existed before, can't be made private by the app. */
function warnOfExposure(real: string, log: Log): void {
  const paths = exposed([...DATABASE_PARTS.map((part) => `${real}${part}`), lockPathOf(real)]);
  if (paths.length === 0) return;
  log.warn(
    { paths },
    'other users of this machine can access the database: chmod go-rwx, or where mount options decide, file_mode=0600,dir_mode=0700',
  );
}

async function warnOfRisks(db: Database, log: Log): Promise<void> {
  const off = await riskySettings(db);
  if (off.length > 0)
    log.warn({ off }, 'Postgres may lose acknowledged data: turn these settings on');
  const missing = await missingLimits(db);
  if (missing.length > 0)
    log.warn(
      { missing },
      'a pooler refuses these settings. Give them to the app’s user in Postgres: ALTER ROLE … SET statement_timeout = 5000',
    );
}
