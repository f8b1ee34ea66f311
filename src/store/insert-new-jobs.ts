import { CompiledQuery } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Database } from './database.ts';
import { engineOf } from './engine.ts';
import { insertJobs, type JobRow } from './insert-jobs.ts';

/** SQLITE_CONSTRAINT_UNIQUE (https://sqlite.org/rescode.html#constraint_unique). */
const SQLITE_NOT_UNIQUE = 2067;
/** One statement per number of rows. */
const CACHED_STATEMENTS = 100;

/**
 * Like `insertJobs`, but twice as fast on SQLite if all jobs are new, as nearly always: it uses a cached
 * statement without ON CONFLICT and RETURNING, and if that fails, inserts the jobs with `insertJobs`. Not on
 * Postgres, which would log every failure.
 */
export function createNewJobInsert(db: Database): (rows: readonly JobRow[]) => Promise<boolean[]> {
  if (engineOf(db) === 'postgres') return (rows) => insertJobs(db, rows);
  const statements = new LRUCache<number, string>({ max: CACHED_STATEMENTS });

  function textFor(rows: readonly JobRow[]): string {
    const known = statements.get(rows.length);
    if (known !== undefined) return known;
    const { sql } = db
      .insertInto('jobs')
      .values([...rows])
      .compile();
    statements.set(rows.length, sql);
    return sql;
  }

  // Kysely's insert has the columns in the order of the first row's properties.
  const statementFor = (rows: readonly JobRow[]): CompiledQuery =>
    CompiledQuery.raw(textFor(rows), rows.flatMap(Object.values));

  return async (rows) => {
    try {
      await db.executeQuery(statementFor(rows));
      return rows.map(() => true);
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      return insertJobs(db, rows);
    }
  };
}

const isDuplicate = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === SQLITE_NOT_UNIQUE;
