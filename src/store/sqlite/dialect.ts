import { statSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type QueryResult,
  SqliteAdapter,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { LRUCache } from 'lru-cache';
import { isLocked } from '../database-errors.ts';
import { DatabaseError } from '../database-location.ts';
import { columns, storable } from '../rows.ts';
import {
  cannotOpen,
  DATABASE_PARTS,
  locateSqlite,
  lockPathOf,
  refuseBesideSetAside,
} from './path.ts';
import { makePrivate, makePrivateFile } from './private-files.ts';

/** More than the app's distinct statements. Preparing a statement costs more than running it. */
const PREPARED_STATEMENTS = 200;
/** How long SQLite itself waits for a lock while the file is being opened, in ms. */
const OPENING_TIMEOUT_MS = 1_000;
/** How long writes wait for a lock of another program; in ms. Slack waits 3 s for an acknowledgment. */
const LOCKED_MS = 1_800;
const POLL_MS = 10;

/** Opens an SQLite file, which other users can't read, and creates it if it doesn't exist. */
export function sqliteDialect(path: string): Dialect {
  const real = locateSqlite(path);
  refuseBesideSetAside(real);
  try {
    // SQLite gives the -wal and -shm files the permissions of the file itself.
    makePrivateFile(real);
    for (const part of DATABASE_PARTS) makePrivate(`${real}${part}`);
    const file = openFile(real);
    const requireSameFiles = rememberFiles(path, real);
    return {
      createDriver: () => new NodeSqliteDriver(file, requireSameFiles),
      createQueryCompiler: () => new SnakeCaseCompiler(),
      createAdapter: () => new SqliteAdapter(),
      createIntrospector: (db) => new SqliteIntrospector(db),
    };
  } catch (error) {
    throw cannotOpen(path, error);
  }
}

/**
 * Remembers which files an open database consists of. SQLite goes on writing to them wherever they are moved, and even
 * once they are deleted, but the next start opens what is at the path then.
 *
 * @returns a function that throws a DatabaseError once other files are there, or none
 */
function rememberFiles(path: string, real: string): () => void {
  const paths = [path, `${real}-wal`, lockPathOf(real)];
  const identityOf = (one: string): string | undefined => {
    try {
      const { dev, ino, size } = statSync(one, { bigint: true });
      // The log may be empty, and the lock always is.
      return one === path && size === 0n ? undefined : `${dev}:${ino}`;
    } catch {
      return undefined;
    }
  };
  const opened = paths.map(identityOf);
  return () => {
    for (const [index, one] of paths.entries()) {
      if (!opened[index] || identityOf(one) === opened[index]) continue;
      throw new DatabaseError(
        `${one} was moved, replaced, emptied, or deleted while the app runs, or its folder can't be entered any more, so whatever is stored now would be lost. Put it back, or start the app again with the right DATABASE_URL.`,
      );
    }
  };
}

class SnakeCaseCompiler extends SqliteQueryCompiler {
  protected override sanitizeIdentifier(name: string): string {
    return super.sanitizeIdentifier(columns.snakeCase(name));
  }
}

class NodeSqliteDriver extends SqliteDriver {
  readonly #file: DatabaseSync;
  readonly #connection: DatabaseConnection;

  constructor(file: DatabaseSync, requireSameFiles: () => void) {
    super({ database: { close: () => file.close(), prepare: neverStreams } });
    this.#file = file;
    this.#connection = new FileConnection(file, requireSameFiles);
  }

  /** Kysely gives the connection to one at a time, so a transaction that is still open failed to roll back. */
  override async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#file.isTransaction) this.#file.exec('rollback');
    return this.#connection;
  }

  /** Takes the write lock when a transaction begins, so that it can't fail midway. */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  /** After some errors, such as a full disk, SQLite has rolled back automatically. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#file.isTransaction) await super.rollbackTransaction(connection);
  }
}

function neverStreams(): never {
  throw new Error('No rows are streamed.');
}

/**
 * Refuses writes that would be lost, and waits for a lock of another program; SQLite's own wait would block the
 * process. Once the file has been locked for too long, writes that were waiting for their turn fail at once.
 */
class FileConnection implements DatabaseConnection {
  readonly #file: DatabaseSync;
  readonly #requireSameFiles: () => void;
  readonly #prepared = new LRUCache<string, { statement: StatementSync; returnsRows: boolean }>({
    max: PREPARED_STATEMENTS,
    memoMethod: (sql) => {
      const statement = this.#file.prepare(sql);
      return { statement, returnsRows: statement.columns().length > 0 };
    },
  });
  #lockedSince: number | undefined;
  readonly streamQuery = neverStreams;

  constructor(file: DatabaseSync, requireSameFiles: () => void) {
    this.#file = file;
    this.#requireSameFiles = requireSameFiles;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#file.isTransaction || sql.startsWith('select ')) return this.#run(sql, parameters);
    this.#requireSameFiles();
    for (;;) {
      try {
        const result = this.#run<Row>(sql, parameters);
        this.#lockedSince = undefined;
        return result;
      } catch (error) {
        if (!isLocked(error)) throw error;
        this.#lockedSince ??= performance.now();
        if (performance.now() - this.#lockedSince > LOCKED_MS) throw error;
        await sleep(POLL_MS);
      }
    }
  }

  #run<Row>(sql: string, parameters: readonly unknown[]): QueryResult<Row> {
    const { statement, returnsRows } = this.#prepared.memo(sql);
    const values = parameters.map(storable) as SQLInputValue[];
    if (returnsRows) return { rows: statement.all(...values) as Row[] };
    return { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) };
  }
}

/** In WAL mode with `synchronous=FULL`, a commit is on disk when it returns. */
function openFile(path: string): DatabaseSync {
  const { sqlite: version = '0' } = process.versions;
  if (!isSafeSqlite(version))
    throw new Error(`SQLite ${version} can lose data; run the app with Node 24.15 or later`);
  const file = new DatabaseSync(path, { timeout: OPENING_TIMEOUT_MS });
  try {
    file.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON');
    requireWal(file);
    // What needs an index has one (test/store/plans). Making temporary ones took a third of each claim of a job.
    file.exec('PRAGMA busy_timeout = 0; PRAGMA automatic_index = OFF');
    return file;
  } catch (error) {
    file.close();
    throw error;
  }
}

/** Earlier versions can lose committed data if two connections share a WAL file. */
export const isSafeSqlite = (version: string): boolean =>
  version.localeCompare('3.51.3', 'en', { numeric: true }) >= 0;

/** On a file system that doesn't support WAL, SQLite silently keeps another mode. */
function requireWal(file: DatabaseSync): void {
  const mode = file.prepare('PRAGMA journal_mode = WAL').get()?.journal_mode;
  if (mode !== 'wal')
    throw new Error(`its file system does not support SQLite's WAL mode (it stays "${mode}")`);
}
