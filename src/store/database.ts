import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { OperatorError } from '../ops/operator-error.ts';
import { firstTables } from './migrations/0001-first-tables.ts';
import { interactionsAndClaims } from './migrations/0002-interactions-and-claims.ts';
import { budgets } from './migrations/0003-budgets.ts';
import { cardCache } from './migrations/0004-card-cache.ts';
import { installations } from './migrations/0006-installations.ts';
import { type ProcessLock, takeProcessLock } from './process-lock.ts';
import type { Schema } from './schema.ts';
import { sqliteDialect } from './sqlite-dialect.ts';

export type Database = Kysely<Schema>;

/** In the order in which they run; a name never changes once it has landed. */
const MIGRATIONS = {
  '0001-first-tables': firstTables,
  '0002-interactions-and-claims': interactionsAndClaims,
  '0003-budgets': budgets,
  '0004-card-cache': cardCache,
  '0006-installations': installations,
};

/** The database can't be used; the message says what to do, without a stack trace's help. */
export class DatabaseError extends OperatorError {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
  }
}

/**
 * Opens the SQLite file, creating it and its folder where they don't exist.
 *
 * @throws DatabaseError where the file can't be opened or is not a database
 */
export function openDatabase({ path }: { path: string }): Database {
  try {
    mkdirSync(dirname(path), { recursive: true });
    return new Kysely<Schema>({ dialect: sqliteDialect(path) });
  } catch (error) {
    throw cannotOpen(path, error);
  }
}

/** How long a starting process waits for one that is stopping: a stop takes at most 10 s. */
const WAIT_FOR_STOPPING_MS = 15_000;

/**
 * Makes this process the only one on the database: SQLite does not coordinate replicas.
 *
 * @throws DatabaseError where another process is still there after 15 s
 */
export async function lockDatabase({ path }: { path: string }): Promise<ProcessLock> {
  const lock = await tryToLock(path);
  if (lock) return lock;
  throw new DatabaseError(
    `Another process is using the database ${path}. Stop that one first: SQLite takes one process at a time.`,
  );
}

async function tryToLock(path: string): Promise<ProcessLock | undefined> {
  try {
    mkdirSync(dirname(path), { recursive: true });
    return await takeProcessLock(path, { waitMs: WAIT_FOR_STOPPING_MS });
  } catch (error) {
    throw cannotOpen(path, error);
  }
}

function cannotOpen(path: string, error: unknown): DatabaseError {
  const reason = error instanceof Error ? error.message : String(error);
  return new DatabaseError(`The database ${path} can't be opened: ${reason}.`, error);
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
