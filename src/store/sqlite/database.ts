import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { Kysely } from 'kysely';
import { DatabaseError } from './database-error.ts';
import { type ProcessLock, takeProcessLock } from './process-lock.ts';
import type { Schema } from './schema.ts';
import { sqliteDialect } from './sqlite-dialect.ts';

/**
 * Opens the SQLite file, creating it and its folder where they don't exist.
 *
 * @throws DatabaseError where the file can't be opened or is not a database
 */
export function openSqlite(path: string): Kysely<Schema> {
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
