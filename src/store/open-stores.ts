import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Config } from '../config/config.ts';
import { createOutage, type Log, markAsLogged } from '../ops/logging.ts';
import {
  BASELINE,
  type Database,
  lockDatabase,
  MIGRATION_TABLE,
  openMigrated,
  type WrapDialect,
} from './database.ts';
import type { DatabaseStep, OnStep } from './database-errors.ts';
import { databaseTrouble, isDatabaseFailure, isFull, isTransient } from './database-errors.ts';
import { type DatabaseLocation, isPostgres, nameOf } from './database-location.ts';
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

/** Locks, opens, and migrates the database; on SQLite, encrypts all with the first encryption key. */
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
  const writeCheck = createWriteCheck(database, log, options.onStep);
  /** Call this last. */
  const close = async () => {
    await opened?.destroy();
    lock[Symbol.dispose]();
  };
  try {
    const db = await openMigrated(database, {
      onLost: (error) => log.debug({ reason: error.message }, 'lost a connection to the database'),
      onStep: writeCheck.note,
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
    // Replicas get a new keyring one by one; then an operator runs `npm run app -- rotate-keys`.
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

/** How long the result of a write is used again, in ms: anyone may ask for `/readyz`. */
const REUSED_MS = 1_000;
/** How long the disk counts as full after a write failed, in ms: a small write may still fit on it. */
const FULL_FOR_MS = 60_000;
/** An outage ends once nothing has failed for this long, in ms: connections may break one by one. */
const OUTAGE_LASTS_MS = 5_000;

/** A full disk, or a standby after a failover, can still be read. */
function createWriteCheck(location: DatabaseLocation, log: Log, onStep?: OnStep) {
  let last: { at: number; passes: Promise<boolean> } | undefined;
  let fullUntil = Number.NEGATIVE_INFINITY;
  const outage = createOutage(log, {
    begins: 'the database in DATABASE_URL can’t be used, so nothing is acknowledged',
    ends: 'the database in DATABASE_URL can be used again',
  });

  /** Writes a row that is always there, and that nothing else writes. */
  const check = (db: Database) =>
    sql`update ${sql.table(MIGRATION_TABLE)} set name = name where name = ${BASELINE}`
      .execute(db)
      .then(() => performance.now() > fullUntil)
      .catch(() => false);

  function recordFailure(error: Error): void {
    markAsLogged(error);
    if (isFull(error)) fullUntil = performance.now() + FULL_FOR_MS;
    const { message } = databaseTrouble(nameOf(location), error);
    outage.failed(message, isFull(error) ? FULL_FOR_MS : OUTAGE_LASTS_MS);
  }

  return {
    passes(db: Database) {
      const now = performance.now();
      if (!last || now - last.at > REUSED_MS) last = { at: now, passes: check(db) };
      return last.passes;
    },
    /** Logs when an outage begins and ends, and nothing else that fails because of it. */
    note(step: DatabaseStep, seconds: number, error?: unknown) {
      onStep?.(step, seconds, error);
      if (error === undefined && step === 'write') outage.worked();
      else if (error !== undefined && isDatabaseFailure(error)) recordFailure(error);
    },
  };
}

const PAUSE_MS = 250;

/** Repeats work while the database can't do it for now. The work must tolerate repetition. */
export async function retryTransient<Result>(work: () => Promise<Result>, log: Log) {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await work();
    } catch (error) {
      if (!isTransient(error)) throw error;
      if (isFirst) log.warn({ err: error }, 'the database can’t do this now; retrying');
      await sleep(PAUSE_MS);
    }
  }
}
