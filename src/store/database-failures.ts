import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Log, noteExplained } from '../ops/logging.ts';
import { createOutage } from '../ops/outage.ts';
import { BASELINE, type Database, MIGRATION_TABLE } from './database.ts';
import { DatabaseError, type DatabaseLocation, isPostgres, nameOf } from './database-location.ts';
import type { DatabaseStep } from './database-steps.ts';
import { codeOf, isServerAway, postgresTrouble } from './postgres/errors.ts';
import { isLocked, sqliteCodeOf } from './sqlite/dialect.ts';

/** Anyone may ask whether the app is ready; in ms. */
const REUSED_MS = 1_000;
/** Where a small write fits on a full disk, others may not; in ms. */
const FULL_FOR_MS = 60_000;
/** Of several connections, some may still work when the first one breaks, and others break later; in ms. */
const AWAY_FOR_MS = 5_000;

/** Tells whether the database takes writes. A full disk, or a standby after a failover, can still be read. */
export function createWriteCheck(location: DatabaseLocation, log: Log) {
  let last: { at: number; passes: Promise<boolean> } | undefined;
  let fullUntil = Number.NEGATIVE_INFINITY;
  const outage = createOutage(log, {
    begins: 'the database in DATABASE_URL can’t be used, so nothing is acknowledged',
    ends: 'the database in DATABASE_URL can be used again',
  });

  async function check(db: Database): Promise<boolean> {
    const isWritten = await write(db).then(
      () => true,
      () => false,
    );
    return isWritten && performance.now() > fullUntil;
  }

  function noteAway(error: Error): void {
    noteExplained(error);
    if (isFull(error)) fullUntil = performance.now() + FULL_FOR_MS;
    const { message } = isPostgres(location) ? postgresTrouble(nameOf(location), error) : error;
    outage.failed(message, isFull(error) ? FULL_FOR_MS : AWAY_FOR_MS);
  }

  return {
    /** Makes a small write, at most once a second. */
    passes(db: Database) {
      const now = performance.now();
      if (!last || now - last.at > REUSED_MS) last = { at: now, passes: check(db) };
      return last.passes;
    },
    /**
     * Call this with the outcome of each step. Logs once that the database can't be used, and once that it can again; the
     * log leaves out whatever else fails because of it.
     */
    note(step: DatabaseStep, error: unknown) {
      if (isAway(error)) noteAway(error);
      else if (error === undefined && step === 'write') outage.worked();
    },
  };
}

/** A row that is always there, and that nothing else writes. */
const write = (db: Database) =>
  sql`update ${sql.table(MIGRATION_TABLE)} set name = name where name = ${BASELINE}`.execute(db);

/**
 * The file or its disk: SQLITE_READONLY, SQLITE_IOERR, SQLITE_CORRUPT, SQLITE_FULL, SQLITE_CANTOPEN, and SQLITE_NOTADB
 * (https://sqlite.org/rescode.html).
 */
const ABOUT_FILE = [8, 10, 11, 13, 14, 26];
const SQLITE_FULL = 13;
/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const DISK_FULL = '53100';

/** Whether a step failed because of the database, rather than of what it was asked. */
function isAway(error: unknown): error is Error {
  if (error instanceof DatabaseError || isLocked(error)) return true;
  const code = sqliteCodeOf(error);
  return code === undefined ? isServerAway(error) : ABOUT_FILE.includes(code);
}

const isFull = (error: unknown): boolean =>
  codeOf(error) === DISK_FULL || sqliteCodeOf(error) === SQLITE_FULL;

/**
 * Answers of Postgres after which the same work may succeed: deadlocks and serialization failures (40), too little of
 * something (53), canceled, stopping, or starting (57), and locked
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html).
 */
const PASSING_ANSWERS = /^(40|53|57|55P03)/;
/** From pg, without a code. */
const LOST = 'terminated';

const PAUSE_MS = 250;

/** Repeats work while the database can't do it for now, and logs why once. The work must tolerate repetition. */
export async function retryPassing<Result>(work: () => Promise<Result>, log: Log): Promise<Result> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error)) throw error;
      if (isFirst) log.warn({ err: error }, 'the database can’t do this now; retrying');
      await sleep(PAUSE_MS);
    }
  }
}

function isPassing(error: unknown): boolean {
  if (isLocked(error)) return true;
  // One that can't be used from the start may have a wrong address, which an operator wants to hear at once.
  const isFirstContact = error instanceof DatabaseError;
  const { cause, message } = error instanceof Error ? error : {};
  const code = codeOf(isFirstContact ? cause : error) ?? '';
  if (PASSING_ANSWERS.test(code) || message?.includes(LOST)) return true;
  return !isFirstContact && isServerAway(error);
}
