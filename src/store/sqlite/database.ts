import { type Dialect, Kysely } from 'kysely';
import { DatabaseError } from '../database-location.ts';
import { type OnStep, stepsOfLog } from '../database-steps.ts';
import type { Schema } from '../schema.ts';
import { sqliteDialect } from './dialect.ts';
import { cannotOpen, DATABASE_PARTS, locateSqlite, refuseBesideSetAside } from './path.ts';
import { makePrivate, makePrivateFile } from './private-files.ts';
import { type ProcessLock, takeProcessLock } from './process-lock.ts';

/**
 * Opens the SQLite file, and creates it and its folder if they don't exist. Other users can't read it.
 *
 * @throws DatabaseError if the file can't be opened or is not a database
 */
export function openSqlite(
  path: string,
  {
    onStep = () => undefined,
    wrapDialect = (dialect) => dialect,
  }: { onStep?: OnStep | undefined; wrapDialect?: ((dialect: Dialect) => Dialect) | undefined },
): Kysely<Schema> {
  const real = locateSqlite(path);
  refuseBesideSetAside(real);
  try {
    // SQLite gives the -wal and -shm files the permissions of the file itself.
    makePrivateFile(real);
    for (const part of DATABASE_PARTS) makePrivate(`${real}${part}`);
    return new Kysely<Schema>({
      dialect: wrapDialect(sqliteDialect(path, real)),
      log: stepsOfLog(onStep),
    });
  } catch (error) {
    throw cannotOpen(path, error);
  }
}

/** How long a starting process waits for another one to stop, which takes at most 10 s; in ms. */
const WAIT_FOR_STOPPING_MS = 15_000;

/** On standard error, for operator commands. */
function tellOperator(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}

/**
 * Makes this process the only one that uses the file.
 *
 * @param tell what to do with a sentence, if it has to wait
 * @throws DatabaseError if another process still uses it after 15 s
 */
export async function lockSqlite(path: string, tell = tellOperator): Promise<ProcessLock> {
  let used = '';
  const lock = await tryToLock(path, (pid) => {
    used = `Another process${pid === undefined ? '' : ` (process ${pid})`} is using the database ${path}.`;
    tell(`${used} Waiting 15 s for it to stop.`);
  });
  if (lock) return lock;
  throw new DatabaseError(`${used} Stop it first: only one process at a time can use SQLite.`);
}

async function tryToLock(
  path: string,
  onWait: (pid: number | undefined) => void,
): Promise<ProcessLock | undefined> {
  try {
    return await takeProcessLock(path, { waitMs: WAIT_FOR_STOPPING_MS, onWait });
  } catch (error) {
    throw error instanceof DatabaseError ? error : cannotOpen(path, error);
  }
}
