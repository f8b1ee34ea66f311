import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { CompiledQuery, QueryResult } from 'kysely';
import { LRUCache } from 'lru-cache';
import { storable } from '../storable.ts';

/** One connection to a file. */
export type NodeSqlite = {
  run<Row>(query: CompiledQuery): QueryResult<Row>;
  isTransaction(): boolean;
};

type SqliteWriter = NodeSqlite & {
  /** Whether commits wait for the disk from here on, as they do at first. Not to be called in a transaction. */
  setFlushing(isOn: boolean): void;
};

/** A file as the app opens it: what is being written keeps nobody from reading. */
export type SqliteFile = { writer: SqliteWriter; reader: NodeSqlite; close(): void };

/** Distinct statements of this app are far fewer; preparing one costs more than running it. */
const PREPARED_STATEMENTS = 200;

/** How long SQLite itself waits for a lock while the file is opened, in ms. */
const OPENING_TIMEOUT_MS = 1_000;

/**
 * Opens an SQLite file with Node's own driver, twice: to write and to read.
 *
 * WAL with `synchronous=FULL`: a commit is on disk when it returns, unless it was asked for otherwise, and
 * readers don't block. Once it is open, SQLite waits for no lock by itself: its waiting would hold up the whole process.
 *
 * @throws the driver's error where the file can't be opened or is not a database
 */
export function openNodeSqlite(path: string): SqliteFile {
  const writer = new DatabaseSync(path, { timeout: OPENING_TIMEOUT_MS });
  try {
    refuseUnsafeSqlite(writer);
    writer.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON;',
    );
    refuseOtherJournals(writer);
    writer.exec('PRAGMA busy_timeout = 0');
    const reader = new DatabaseSync(path, { readOnly: true, timeout: 0 });
    return {
      writer: { ...connectionOf(writer), setFlushing: flushingOf(writer) },
      reader: connectionOf(reader),
      close() {
        reader.close();
        // Last, since it may write: it moves the log into the file.
        writer.close();
      },
    };
  } catch (error) {
    writer.close();
    throw error;
  }
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
  throw new Error(`SQLite ${version} can lose data; run the app with Node 24.15 or later`);
}

/** WAL is asked for, but a file system that can't do it silently leaves another mode on. */
function refuseOtherJournals(database: DatabaseSync): void {
  const mode = database.prepare('PRAGMA journal_mode').get()?.journal_mode;
  if (mode === 'wal') return;
  throw new Error(`its folder does not allow SQLite's WAL (it stays at "${String(mode)}")`);
}

/** In WAL, NORMAL keeps the order of commits and waits for the disk only where the log is moved into the file. */
function flushingOf(database: DatabaseSync): SqliteWriter['setFlushing'] {
  let wasOn = true;
  return (isOn) => {
    if (isOn === wasOn) return;
    database.exec(`PRAGMA synchronous = ${isOn ? 'FULL' : 'NORMAL'}`);
    wasOn = isOn;
  };
}

function connectionOf(database: DatabaseSync): NodeSqlite {
  const prepared = new LRUCache<string, Statement>({ max: PREPARED_STATEMENTS });

  function prepare(sql: string): Statement {
    const known = prepared.get(sql);
    if (known) return known;
    const statement = database.prepare(sql);
    // A statement that returns columns is read with all(); any other is run.
    const fresh = { statement, returnsRows: statement.columns().length > 0 };
    prepared.set(sql, fresh);
    return fresh;
  }

  return {
    run<Row>({ sql, parameters }: CompiledQuery) {
      const { statement, returnsRows } = prepare(sql);
      const values = parameters.map(storable) as SQLInputValue[];
      if (returnsRows) return { rows: statement.all(...values) as Row[] };
      const { changes, lastInsertRowid } = statement.run(...values);
      return {
        rows: [],
        numAffectedRows: BigInt(changes),
        insertId: BigInt(lastInsertRowid),
      };
    },
    isTransaction: () => database.isTransaction,
  };
}

type Statement = { statement: StatementSync; returnsRows: boolean };
