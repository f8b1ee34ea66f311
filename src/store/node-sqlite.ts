import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { SqliteDatabase, SqliteStatement } from 'kysely';
import { LRUCache } from 'lru-cache';

/** Distinct statements of this app are far fewer; preparing one costs more than running it. */
const PREPARED_STATEMENTS = 200;

/** How long SQLite itself waits for a lock, in ms. It blocks the whole process, so it is short. */
const BUSY_TIMEOUT_MS = 50;

/**
 * Opens an SQLite file with Node's own driver in the shape that Kysely's SQLite dialect takes.
 *
 * WAL with `synchronous=FULL`: a commit is on disk when it returns, and readers don't block.
 *
 * @throws the driver's error where the file can't be opened or is not a database
 */
export function openNodeSqlite(path: string): SqliteDatabase {
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  refuseUnsafeSqlite(database);
  database.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON;',
  );
  refuseOtherJournals(database, path);
  const prepared = new LRUCache<string, SqliteStatement>({ max: PREPARED_STATEMENTS });
  return {
    prepare(sql) {
      const known = prepared.get(sql);
      if (known) return known;
      const statement = adapt(database.prepare(sql));
      prepared.set(sql, statement);
      return statement;
    },
    close: () => database.close(),
  };
}

/** Earlier versions can lose committed data where two connections share a WAL file (fixed in 3.51.3). */
const OLDEST_SAFE_SQLITE = [3, 51, 3] as const;

function refuseUnsafeSqlite(database: DatabaseSync): void {
  const version = String(database.prepare('SELECT sqlite_version() AS version').get()?.version);
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  const [safeMajor, safeMinor, safePatch] = OLDEST_SAFE_SQLITE;
  const isSafe =
    major > safeMajor ||
    (major === safeMajor && (minor > safeMinor || (minor === safeMinor && patch >= safePatch)));
  if (isSafe) return;
  database.close();
  throw new Error(`SQLite ${version} can lose data; run the app with Node 24.15 or later`);
}

/** WAL is asked for, but a file system that can't do it silently leaves another mode on. */
function refuseOtherJournals(database: DatabaseSync, path: string): void {
  const mode = database.prepare('PRAGMA journal_mode').get()?.journal_mode;
  if (mode === 'wal' || path === ':memory:') return;
  database.close();
  throw new Error(`its folder does not allow SQLite's WAL (it stays at "${String(mode)}")`);
}

function adapt(statement: StatementSync): SqliteStatement {
  const bind = (parameters: readonly unknown[]) => parameters as SQLInputValue[];
  return {
    // A statement that returns columns is read with all(); any other is run.
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...bind(parameters)),
    run: (parameters) => statement.run(...bind(parameters)),
    iterate: (parameters) => statement.iterate(...bind(parameters)),
  };
}
