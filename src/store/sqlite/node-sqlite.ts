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
  /** Whether commits wait for the disk, which is the default. Don't call this in a transaction. */
  setFlushing(isOn: boolean): void;
};

export type SqliteFile = { writer: SqliteWriter; reader: NodeSqlite; close(): void };

/** More than the app's distinct statements. Preparing a statement costs more than running it. */
const PREPARED_STATEMENTS = 200;

/** How long SQLite itself waits for a lock while the file is being opened, in ms. */
const OPENING_TIMEOUT_MS = 1_000;

/**
 * Opens an SQLite file with Node's driver, once for writing and once for reading, in WAL mode, so that reads and
 * writes don't block each other, and with `synchronous=FULL`, so that a commit is on disk when it returns. Once it
 * is open, SQLite doesn't wait for locks itself, because that would block the process.
 *
 * @throws the driver's error if the file can't be opened or is not a database
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
        // Last, because it moves the write-ahead log into the file.
        writer.close();
      },
    };
  } catch (error) {
    writer.close();
    throw error;
  }
}

/** Earlier versions can lose committed data if two connections share a WAL file (fixed in 3.51.3). */
const OLDEST_SAFE_SQLITE = [3, 51, 3] as const;

/** @param version such as 3.51.3 */
export function isSafeSqlite(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  const [safeMajor, safeMinor, safePatch] = OLDEST_SAFE_SQLITE;
  return (
    major > safeMajor ||
    (major === safeMajor && (minor > safeMinor || (minor === safeMinor && patch >= safePatch)))
  );
}

function refuseUnsafeSqlite(database: DatabaseSync): void {
  const version = String(database.prepare('SELECT sqlite_version() AS version').get()?.version);
  if (isSafeSqlite(version)) return;
  throw new Error(`SQLite ${version} can lose data; run the app with Node 24.15 or later`);
}

/** On a file system that doesn't support WAL, SQLite silently keeps another mode. */
function refuseOtherJournals(database: DatabaseSync): void {
  const mode = database.prepare('PRAGMA journal_mode').get()?.journal_mode;
  if (mode === 'wal') return;
  throw new Error(
    `its file system does not support SQLite's WAL mode (it stays "${String(mode)}")`,
  );
}

/** In WAL mode, NORMAL keeps the order of commits, and waits for the disk only at checkpoints. */
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
    // A statement with columns needs all(), any other needs run().
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
