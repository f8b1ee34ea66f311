import { setTimeout } from 'node:timers/promises';
import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult } from 'kysely';
import { DatabaseBusyError, isLocked } from './busy.ts';
import type { NodeSqlite, SqliteFile } from './node-sqlite.ts';
import { isUnflushed } from './unflushed.ts';
import { createWriteLock } from './write-lock.ts';

/**
 * How long a write waits for other writes, and for a lock of another program, such as a backup tool, in ms. Slack
 * waits 3 s for an acknowledgment, so after this the delivery is refused.
 */
const WAIT_MS = 1_800;
const POLL_MS = 10;

const BEGIN = CompiledQuery.raw('begin immediate');
const COMMIT = CompiledQuery.raw('commit');
const ROLLBACK = CompiledQuery.raw('rollback');

/**
 * Runs reads immediately, on a connection of their own, which sees the last commit; writes and transactions one
 * after the other.
 *
 * SQLite's own wait for a lock would block the process, so this driver waits instead. A write fails with a
 * DatabaseBusyError after 1.8 s, however many writes are before it.
 *
 * @param requireSameFiles called before each write; throws if it would be lost
 */
export function createSqliteDriver(file: SqliteFile, requireSameFiles: () => void): Driver {
  const writeLock = createWriteLock();
  /** Functions that release the write lock, for the connections that are in a transaction. */
  const inTransaction = new WeakMap<DatabaseConnection, () => void>();

  async function lock(until: number, { isFlushed } = { isFlushed: true }): Promise<() => void> {
    const end = await writeLock.take(until);
    try {
      requireSameFiles();
      // If a rollback has failed, its transaction is still open, and must not include the next write.
      if (file.writer.isTransaction()) file.writer.run(ROLLBACK);
      file.writer.setFlushing(isFlushed);
      return end;
    } catch (error) {
      end();
      throw isLocked(error) ? new DatabaseBusyError({ cause: error }) : error;
    }
  }

  async function write<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const until = performance.now() + WAIT_MS;
    const end = await lock(until, { isFlushed: !isUnflushed(query) });
    try {
      return await untilUnlocked<Row>(file.writer, query, until);
    } finally {
      end();
    }
  }

  function connect(): DatabaseConnection {
    const connection: DatabaseConnection = {
      async executeQuery<Row>(query: CompiledQuery) {
        if (inTransaction.has(connection)) return file.writer.run<Row>(query);
        if (!isRead(query)) return write<Row>(query);
        return untilUnlocked<Row>(file.reader, query, performance.now() + WAIT_MS);
      },
      streamQuery() {
        throw new Error('streaming is not supported');
      },
    };
    return connection;
  }

  function endTransaction(connection: DatabaseConnection): void {
    inTransaction.get(connection)?.();
    inTransaction.delete(connection);
  }

  return {
    init: async () => undefined,
    acquireConnection: async () => connect(),
    releaseConnection: async () => undefined,

    async beginTransaction(connection) {
      const until = performance.now() + WAIT_MS;
      const end = await lock(until);
      try {
        await untilUnlocked(file.writer, BEGIN, until);
        inTransaction.set(connection, end);
      } catch (error) {
        end();
        throw error;
      }
    },

    async commitTransaction(connection) {
      file.writer.run(COMMIT);
      endTransaction(connection);
    },

    async rollbackTransaction(connection) {
      try {
        // After some errors, such as a full disk, SQLite has rolled back automatically.
        if (file.writer.isTransaction()) file.writer.run(ROLLBACK);
      } finally {
        endTransaction(connection);
      }
    },

    destroy: async () => file.close(),
  };
}

/** Anything else is treated as a write. */
const isRead = ({ sql }: CompiledQuery) => sql.startsWith('select ');

async function untilUnlocked<Row>(
  connection: NodeSqlite,
  query: CompiledQuery,
  until: number,
): Promise<QueryResult<Row>> {
  for (;;) {
    try {
      return connection.run<Row>(query);
    } catch (error) {
      if (!isLocked(error)) throw error;
      if (performance.now() > until) throw new DatabaseBusyError({ cause: error });
      await setTimeout(POLL_MS);
    }
  }
}
