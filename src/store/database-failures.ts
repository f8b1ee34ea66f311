import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Log, markAsLogged } from '../ops/logging.ts';
import { createOutage } from '../ops/outage.ts';
import { BASELINE, type Database, MIGRATION_TABLE } from './database.ts';
import { databaseTrouble, isAway, isFull, isTransient } from './database-errors.ts';
import { type DatabaseLocation, nameOf } from './database-location.ts';
import type { DatabaseStep } from './database-steps.ts';

/** How long the result of a write is used again, in ms: anyone may ask for `/readyz`. */
const REUSED_MS = 1_000;
/** How long the disk counts as full after a write failed, in ms: a small write may still fit on it. */
const FULL_FOR_MS = 60_000;
/** How long nothing may fail before the database counts as usable again, in ms: connections may break one by one. */
const AWAY_FOR_MS = 5_000;

/** Tells whether the database takes writes. A full disk, or a standby after a failover, can still be read. */
export function createWriteCheck(location: DatabaseLocation, log: Log) {
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

  function noteAway(error: Error): void {
    markAsLogged(error);
    if (isFull(error)) fullUntil = performance.now() + FULL_FOR_MS;
    const { message } = databaseTrouble(nameOf(location), error);
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

const PAUSE_MS = 250;

/** Repeats work while the database can't do it for now, and logs why once. The work must tolerate repetition. */
export async function retryTransient<Result>(
  work: () => Promise<Result>,
  log: Log,
): Promise<Result> {
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
