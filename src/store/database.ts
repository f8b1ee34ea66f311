import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { Kysely, SqliteDialect, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { firstTables } from './migrations/0001-first-tables.ts';
import { openNodeSqlite } from './node-sqlite.ts';
import type { Schema } from './schema.ts';

export type Database = Kysely<Schema>;

/** In the order in which they run; a name never changes once it has landed. */
const MIGRATIONS = { '0001-first-tables': firstTables };

/** The database can't be used; the message says what to do, without a stack trace's help. */
export class DatabaseError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'DatabaseError';
  }
}

/**
 * Opens the SQLite file, creating it and its folder where they don't exist.
 *
 * @throws DatabaseError where the file can't be opened or is not a database
 */
export function openDatabase({ path }: { path: string }): Database {
  try {
    if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true });
    return new Kysely<Schema>({ dialect: new SqliteDialect({ database: openNodeSqlite(path) }) });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DatabaseError(`The database ${path} can't be opened: ${reason}.`, error);
  }
}

/**
 * Brings the tables up to date.
 *
 * @returns the names of the migrations that ran, none where all had run before
 * @throws DatabaseError naming the migration that failed
 */
export async function migrate(db: Database): Promise<string[]> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error) {
    const failed = results.find(({ status }) => status === 'Error')?.migrationName;
    const reason = error instanceof Error ? error.message : String(error);
    throw new DatabaseError(`The migration ${failed ?? '(unknown)'} failed: ${reason}.`, error);
  }
  return results.map(({ migrationName }) => migrationName);
}

/** Whether the database answers. */
export async function isReachable(db: Database): Promise<boolean> {
  await sql`select 1`.execute(db);
  return true;
}
