import { type Dialect, Kysely, sql } from 'kysely';
import type { MigrationProvider } from 'kysely/migration';
import { Migrator } from 'kysely/migration';
import { DatabaseError, type DatabaseLocation, isPostgres, nameOf } from './database-location.ts';
import { type OnStep, stepsOfLog } from './database-steps.ts';
import { engineOf } from './engine.ts';
import { baseline } from './migrations/0001-baseline.ts';
import { postgresTrouble } from './postgres/errors.ts';
import { lockMigrations, openPostgresPool, PooledPostgresDialect } from './postgres/pool.ts';
import type { Schema } from './schema.ts';
import { sqliteDialect } from './sqlite/dialect.ts';
import { cannotOpen, DATABASE_PARTS, locateSqlite, refuseBesideSetAside } from './sqlite/path.ts';
import { makePrivate, makePrivateFile } from './sqlite/private-files.ts';
import { lockSqlite, type ProcessLock } from './sqlite/process-lock.ts';

export type Database = Kysely<Schema>;

/** Lets tests intercept the statements. */
export type WrapDialect = (dialect: Dialect) => Dialect;

type OpenOptions = {
  onLost?: (error: Error) => void;
  onStep?: OnStep | undefined;
  wrapDialect?: WrapDialect | undefined;
};

/** Kysely's default name. */
export const MIGRATION_TABLE = 'kysely_migration';

/** In the order in which they run. Never change one that was released. */
export const BASELINE = '0001-baseline';
const MIGRATIONS = { [BASELINE]: baseline };

/**
 * Opens the database. Creates an SQLite file if it doesn't exist; connects to Postgres with the first statement.
 *
 * @param options.onLost called when an idle connection to Postgres breaks; the next statement opens another
 * @param options.onStep called with the time of each step
 * @throws DatabaseError if an SQLite file can't be opened, or a certificate for Postgres can't be read
 */
export function openDatabase(location: DatabaseLocation, options: OpenOptions = {}): Database {
  if (!isPostgres(location)) return openSqlite(location.path, options);
  return openPostgres(location, { patient: false, ...options });
}

/** Other users can't read the file. */
function openSqlite(
  path: string,
  { onStep = () => undefined, wrapDialect }: OpenOptions,
): Database {
  const real = locateSqlite(path);
  refuseBesideSetAside(real);
  try {
    // SQLite gives the -wal and -shm files the permissions of the file itself.
    makePrivateFile(real);
    for (const part of DATABASE_PARTS) makePrivate(`${real}${part}`);
    const dialect = sqliteDialect(path, real);
    return new Kysely<Schema>({
      dialect: wrapDialect?.(dialect) ?? dialect,
      log: stepsOfLog(onStep),
    });
  } catch (error) {
    throw cannotOpen(path, error);
  }
}

/** @param options.patient without timeouts, for long operations */
export function openPostgres(
  location: { url: string },
  options: OpenOptions & { patient: boolean },
): Database {
  const { patient, onLost = () => undefined, onStep = () => undefined, wrapDialect } = options;
  try {
    const pool = openPostgresPool(location.url, { patient, onLost, onStep });
    const dialect = new PooledPostgresDialect({ pool });
    return new Kysely<Schema>({
      dialect: wrapDialect?.(dialect) ?? dialect,
      log: stepsOfLog(onStep),
    });
  } catch (error) {
    throw postgresTrouble(nameOf(location), error);
  }
}

/**
 * Makes this process the only one that uses an SQLite file. Does nothing for Postgres.
 *
 * @param tell what to do with a sentence, if it has to wait; by default, it is for an operator
 * @throws DatabaseError if another process still uses the file after 15 s
 */
export async function lockDatabase(
  location: DatabaseLocation,
  tell?: (sentence: string) => void,
): Promise<ProcessLock> {
  if (isPostgres(location)) return { release: () => undefined };
  return lockSqlite(location.path, tell);
}

/**
 * Opens and migrates the database.
 *
 * @throws DatabaseError that names the failed migration, or says why the database can't be used
 */
export async function openMigrated(
  location: DatabaseLocation,
  options: OpenOptions = {},
): Promise<Database> {
  if (isPostgres(location)) {
    await migrateDatabase(location);
  }
  const db = openDatabase(location, options);
  try {
    if (isPostgres(location)) await requireReachable(db, location);
    else await migrate(db);
    return db;
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

/**
 * Migrates the database. If several replicas start together, one does it while the others wait.
 *
 * @returns the names of the migrations that ran
 * @throws DatabaseError that names the failed migration, or says why the database can't be used
 */
export async function migrateDatabase(location: DatabaseLocation): Promise<string[]> {
  const db = isPostgres(location)
    ? openPostgres(location, { patient: true })
    : openDatabase(location);
  try {
    await requireReachable(db, location);
    return await migrate(db);
  } catch (error) {
    if (error instanceof DatabaseError || !isPostgres(location)) throw error;
    throw postgresTrouble(nameOf(location), error);
  } finally {
    await db.destroy();
  }
}

/** @throws DatabaseError that says why the database doesn't answer */
export async function requireReachable(db: Database, location: DatabaseLocation): Promise<void> {
  try {
    // A pooler may allow only single statements.
    await db.transaction().execute(isReachable);
  } catch (error) {
    throw postgresTrouble(nameOf(location), error);
  }
}

/** Migrates a database that is open. */
export async function migrate(db: Database): Promise<string[]> {
  if (await isUpToDate(db)) return [];
  if (engineOf(db) === 'sqlite') return runMigrations(db);
  return db.transaction().execute(async (tx) => {
    await lockMigrations(tx);
    return runMigrations(tx);
  });
}

async function runMigrations(db: Database): Promise<string[]> {
  const migrator = new Migrator({
    db,
    provider: await knownMigrations(db),
    migrationTableName: MIGRATION_TABLE,
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error) {
    const failed = results.find(({ status }) => status === 'Error')?.migrationName;
    const reason = error instanceof Error ? error.message : String(error);
    throw new DatabaseError(`The migration ${failed ?? '(unknown)'} failed: ${reason}.`, error);
  }
  return results.map(({ migrationName }) => migrationName);
}

/** Avoids loading Kysely's migrator at most starts. */
async function isUpToDate(db: Database): Promise<boolean> {
  try {
    const ran = new Set(await namesIn(db));
    return Object.keys(MIGRATIONS).every((name) => ran.has(name));
  } catch {
    // A new database has no such table. The migrator reports anything else that may be wrong.
    return false;
  }
}

/**
 * Our migrations, and those that a newer version has run: during a rolling update, both versions use the same
 * database, and Kysely refuses migrations that it doesn't know.
 */
async function knownMigrations(db: Database): Promise<MigrationProvider> {
  const add = (names: readonly string[]) => ({
    ...Object.fromEntries(names.map((name) => [name, { up: async () => undefined }])),
    ...MIGRATIONS,
  });
  const names = await namesRun(db);
  return { getMigrations: async () => add(names) };
}

/** @throws DatabaseError if it is a database of a version before the baseline */
async function namesRun(db: Database): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  const names = tables.some(({ name }) => name === MIGRATION_TABLE) ? await namesIn(db) : [];
  if (names.length > 0 && !names.includes(BASELINE)) throw new DatabaseError(TOO_OLD);
  return names;
}

const TOO_OLD =
  'The database was made by version 0.1.0 or 0.2.0 of the app, which no later one can migrate: set DATABASE_URL to a new one.';

/**
 * The names of the migrations that have not run, in order.
 *
 * @throws DatabaseError if it is a database of a version before the baseline
 */
export async function pendingMigrations(db: Database): Promise<string[]> {
  const ran = new Set(await namesRun(db));
  return Object.keys(MIGRATIONS).filter((name) => !ran.has(name));
}

/**
 * For what needs to know every table.
 *
 * @param name of the database, for the message
 * @throws DatabaseError if a newer version of the app has migrated the database
 */
export async function refuseNewer(db: Database, name: string): Promise<void> {
  const newer = (await namesRun(db)).filter((migration) => !(migration in MIGRATIONS));
  if (newer.length === 0) return;
  throw new DatabaseError(
    `${name} is from a newer version of the app: it has ${newer.join(', ')}. Run this command with that version or a later one.`,
  );
}

async function namesIn(db: Database): Promise<string[]> {
  const { rows } = await sql<{
    name: string;
  }>`select name from ${sql.table(MIGRATION_TABLE)}`.execute(db);
  return rows.map(({ name }) => name);
}

/** @throws if the database doesn't answer */
export async function isReachable(db: Database): Promise<boolean> {
  await sql`select 1`.execute(db);
  return true;
}
