import { sql } from 'kysely';
import type { Log } from '../ops/logging.ts';
import { BASELINE, type Database, MIGRATION_TABLE } from './database.ts';
import { codeOf } from './postgres/errors.ts';

/** Tells whether the database takes writes. A full disk, or a standby after a failover, can still be read. */
export type WriteCheck = {
  /** Makes a small write, at most once a second, and logs when the result changes. */
  passes(db: Database): Promise<boolean>;
  /** Call this with the error of each statement: where a small write fits, others may not. */
  note(error: unknown): void;
};

/** Anyone may ask whether the app is ready; in ms. */
const REUSED_MS = 1_000;
const REMEMBERED_MS = 60_000;

export function createWriteCheck(log: Log): WriteCheck {
  let last: { at: number; passes: Promise<boolean> } | undefined;
  let fullAt = Number.NEGATIVE_INFINITY;
  let passed = true;

  async function check(db: Database): Promise<boolean> {
    const error = await write(db).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    const passes = error === undefined && performance.now() - fullAt > REMEMBERED_MS;
    if (passed && !passes)
      log.error({ err: error }, 'the database takes no writes, so nothing is acknowledged');
    if (passes && !passed) log.info('the database takes writes again');
    passed = passes;
    return passes;
  }

  return {
    passes(db) {
      const now = performance.now();
      if (!last || now - last.at > REUSED_MS) last = { at: now, passes: check(db) };
      return last.passes;
    },
    note(error) {
      if (isFull(error)) fullAt = performance.now();
    },
  };
}

/** A row that is always there, and that nothing else writes. */
const write = (db: Database) =>
  sql`update ${sql.table(MIGRATION_TABLE)} set name = name where name = ${BASELINE}`.execute(db);

/** SQLITE_FULL (https://sqlite.org/rescode.html#full). */
const SQLITE_FULL = 13;
/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const DISK_FULL = '53100';

const isFull = (error: unknown): boolean =>
  codeOf(error) === DISK_FULL ||
  (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_FULL);
