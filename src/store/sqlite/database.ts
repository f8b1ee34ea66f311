import { type Dialect, Kysely } from 'kysely';
import { DatabaseError } from '../database-error.ts';
import type { Schema } from '../schema.ts';
import { sqliteDialect } from './dialect.ts';
import { cannotOpen, DATABASE_PARTS, locateSqlite } from './path.ts';
import { makePrivate, makePrivateFile } from './private-files.ts';
import { type ProcessLock, takeProcessLock } from './process-lock.ts';

/**
 * Opens the SQLite file, creating it and its folder where they don't exist. Other users can't read it.
 *
 * @throws DatabaseError where the file can't be opened or is not a database
 */
export function openSqlite(
  path: string,
  wrapDialect: (dialect: Dialect) => Dialect = (dialect) => dialect,
): Kysely<Schema> {
  const real = locateSqlite(path);
  try {
    // SQLite gives the log and its index the rights of the file itself.
    makePrivateFile(real);
    for (const part of DATABASE_PARTS) makePrivate(`${real}${part}`);
    return new Kysely<Schema>({ dialect: wrapDialect(sqliteDialect(real)) });
  } catch (error) {
    throw cannotOpen(path, error);
  }
}

/** How long a starting process waits for one that is stopping: a stop takes at most 10 s. */
const WAIT_FOR_STOPPING_MS = 15_000;

/**
 * Makes this process the only one on the file: SQLite does not coordinate replicas.
 *
 * @throws DatabaseError where another process is still there after 15 s
 */
export async function lockSqlite(path: string): Promise<ProcessLock> {
  const lock = await tryToLock(path);
  if (lock) return lock;
  throw new DatabaseError(
    `Another process is using the database ${path}. Stop that one first: SQLite takes one process at a time.`,
  );
}

async function tryToLock(path: string): Promise<ProcessLock | undefined> {
  try {
    return await takeProcessLock(path, { waitMs: WAIT_FOR_STOPPING_MS });
  } catch (error) {
    throw error instanceof DatabaseError ? error : cannotOpen(path, error);
  }
}
