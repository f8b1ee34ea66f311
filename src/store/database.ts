import { type Dialect, Kysely, sql } from 'kysely';
import { databaseTrouble, stepsOfLog } from './database-errors.ts';
import {
  DatabaseError,
  type DatabaseLocation,
  isPostgres,
  nameOf,
  reasonOf,
} from './database-location.ts';
import { lockMigrations, type PoolOptions, postgresDialect } from './postgres/pool.ts';
import { columns, engineOf } from './rows.ts';
import { sqliteDialect } from './sqlite/dialect.ts';
import { lockSqlite, type ProcessLock } from './sqlite/process-lock.ts';
import { createTables, type Schema } from './tables.ts';

export type Database = Kysely<Schema>;

export type WrapDialect = (dialect: Dialect) => Dialect;

type OpenOptions = PoolOptions & { wrapDialect?: WrapDialect | undefined };

/** The names of the migrations that ran, as Kysely's own migrator keeps them. */
export const MIGRATION_TABLE = 'kysely_migration';

export const BASELINE = '0001-baseline';
/**
 * In the order in which they run. The first makes the tables of a new database, as they are now; the
 * others change databases of earlier versions. Never change one of those once it is released.
 */
const MIGRATIONS: Record<string, (db: Database) => Promise<void>> = { [BASELINE]: createTables };

/** Creates a missing SQLite file; connects to Postgres at the first statement. @throws DatabaseError */
export function openDatabase(location: DatabaseLocation, options: OpenOptions = {}): Database {
  const { wrapDialect, onStep = () => undefined } = options;
  try {
    const dialect = isPostgres(location)
      ? postgresDialect(location.url, options)
      : sqliteDialect(location.path);
    return new Kysely<Schema>({
      dialect: wrapDialect?.(dialect) ?? dialect,
      plugins: [columns],
      log: stepsOfLog(onStep),
    });
  } catch (error) {
    throw databaseTrouble(nameOf(location), error);
  }
}

/** Makes this process the only one that uses an SQLite file; does nothing for Postgres. */
export async function lockDatabase(
  location: DatabaseLocation,
  tell?: (sentence: string) => void,
): Promise<ProcessLock> {
  if (isPostgres(location)) return { [Symbol.dispose]: () => undefined };
  return lockSqlite(location.path, tell);
}

export async function openMigrated(location: DatabaseLocation, options: OpenOptions = {}) {
  await migrateDatabase(location, options);
  return openDatabase(location, options);
}

/** If replicas start together, one migrates while the others wait. @returns which migrations ran */
export async function migrateDatabase(location: DatabaseLocation, options: OpenOptions = {}) {
  const db = openDatabase(location, { ...options, patient: true });
  try {
    await requireReachable(db, location);
    return await migrate(db);
  } catch (error) {
    throw databaseTrouble(nameOf(location), error);
  } finally {
    await db.destroy();
  }
}

export async function requireReachable(db: Database, location: DatabaseLocation): Promise<void> {
  try {
    // A pooler may allow only single statements.
    await db.transaction().execute((tx) => sql`select 1`.execute(tx));
  } catch (error) {
    throw databaseTrouble(nameOf(location), error);
  }
}

/** All or none. Kysely's migrator refuses newer databases, and loses its lock behind a pooler. */
export async function migrate(db: Database): Promise<string[]> {
  if ((await pendingMigrations(db)).length === 0) return [];
  return db.transaction().execute(async (tx: Database) => {
    if (engineOf(tx) === 'postgres') await lockMigrations(tx);
    const pending = await pendingMigrations(tx);
    await tx.schema
      .createTable(MIGRATION_TABLE)
      .ifNotExists()
      .addColumn('name', 'varchar(255)', (column) => column.notNull().primaryKey())
      .addColumn('timestamp', 'varchar(255)', (column) => column.notNull())
      .execute();
    const isNew = pending.includes(BASELINE);
    for (const name of pending) {
      const run = isNew && name !== BASELINE ? undefined : MIGRATIONS[name];
      await run?.(tx).catch((error) => {
        throw new DatabaseError(`The migration ${name} failed: ${reasonOf(error)}.`, error);
      });
      await sql`insert into ${sql.table(MIGRATION_TABLE)} (name, timestamp)
        values (${name}, ${new Date().toISOString()})`.execute(tx);
    }
    return pending;
  });
}

/** Asks first: naming a missing table would abort a transaction of Postgres. */
const MIGRATION_TABLE_OF = {
  sqlite: sql<{ name: string }>`select name from sqlite_master where name = ${MIGRATION_TABLE}`,
  postgres: sql<{ name: string }>`select tablename as name from pg_tables
    where schemaname = current_schema() and tablename = ${MIGRATION_TABLE}`,
};

/** @throws DatabaseError if a version before the baseline made the database */
async function namesRun(db: Database): Promise<string[]> {
  const { rows: found } = await MIGRATION_TABLE_OF[engineOf(db)].execute(db);
  if (found.length === 0) return [];
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.table(MIGRATION_TABLE)}`.execute(db);
  const names = rows.map(({ name }) => name);
  if (names.length > 0 && !names.includes(BASELINE)) throw new DatabaseError(TOO_OLD);
  return names;
}

const TOO_OLD =
  'The database was made by version 0.1.0 or 0.2.0 of the app, which no later one can migrate: set DATABASE_URL to a new one.';

export async function pendingMigrations(db: Database): Promise<string[]> {
  const ran = await namesRun(db);
  return Object.keys(MIGRATIONS).filter((name) => !ran.includes(name));
}

/** For commands that have to know every table. @param name of the database, for the message */
export async function refuseNewer(db: Database, name: string): Promise<void> {
  const newer = (await namesRun(db)).filter((migration) => !(migration in MIGRATIONS));
  if (newer.length === 0) return;
  throw new DatabaseError(
    `${name} is from a newer version of the app: it has ${newer.join(', ')}. Run this command with that version or a later one.`,
  );
}
