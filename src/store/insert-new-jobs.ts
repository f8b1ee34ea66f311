import { CompiledQuery } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Database } from './database.ts';
import { engineOf } from './engine.ts';
import { insertJobs, type JobRow } from './insert-jobs.ts';

/** SQLITE_CONSTRAINT_UNIQUE (https://sqlite.org/rescode.html#constraint_unique). */
const SQLITE_NOT_UNIQUE = 2067;
/** One statement for each number of rows. */
const KEPT_STATEMENTS = 100;

/**
 * Writes jobs as `insertJobs` does, in half of the time where none of them is known already, as most are:
 * SQLite is asked without what tells the known from the new, by a statement that was built before. Where it
 * refuses the lot, it is asked again with all of that. Postgres would write each refusal into its log.
 */
export function createNewJobInsert(db: Database): (rows: readonly JobRow[]) => Promise<boolean[]> {
  if (engineOf(db) === 'postgres') return (rows) => insertJobs(db, rows);
  const statements = new LRUCache<number, string>({ max: KEPT_STATEMENTS });

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

  // The order of the columns is that of each row's properties (kysely's InsertQueryBuilder.values).
  const statementFor = (rows: readonly JobRow[]): CompiledQuery =>
    CompiledQuery.raw(textFor(rows), rows.flatMap(Object.values));

  return async (rows) => {
    try {
      await db.executeQuery(statementFor(rows));
      return rows.map(() => true);
    } catch (error) {
      if (!isRepetition(error)) throw error;
      return insertJobs(db, rows);
    }
  };
}

const isRepetition = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === SQLITE_NOT_UNIQUE;
