import { setTimeout } from 'node:timers/promises';
import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult } from 'kysely';
import { DatabaseBusyError, isLocked } from './busy.ts';
import type { NodeSqlite, SqliteFile } from './node-sqlite.ts';
import { isUnflushed } from './unflushed.ts';
import { createWriteLock } from './write-lock.ts';

/**
 * How long a write waits for its turn and for somebody who locks the file, such as a backup tool, in
 * ms. Slack waits 3 s for an acknowledgement; what can't be written by then is refused with words.
 */
const WAIT_MS = 1_800;
const LOOK_AGAIN_MS = 10;

const BEGIN = CompiledQuery.raw('begin immediate');
const COMMIT = CompiledQuery.raw('commit');
const ROLLBACK = CompiledQuery.raw('rollback');

/**
 * Runs statements on one file: reads at once, on a connection of their own, which sees what was
 * committed last; writes and transactions one after the other.
 *
 * Nothing here holds up the process: SQLite's own waiting for a lock would, so that is waited for here.
 * A write gives up, with a DatabaseBusyError, 1.8 s after it was asked for, however many are before it.
 */
export function createSqliteDriver(file: SqliteFile): Driver {
  const turns = createWriteLock();
  /** Ends the turn of each connection that is in a transaction. */
  const inTransaction = new WeakMap<DatabaseConnection, () => void>();

  async function takeTurn(until: number, { isFlushed } = { isFlushed: true }): Promise<() => void> {
    const end = await turns.take(until);
    try {
      // Left open where its rollback failed; what is written next must not become a part of it.
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
    const end = await takeTurn(until, { isFlushed: !isUnflushed(query) });
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
        throw new Error('rows are read at once');
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
      const end = await takeTurn(until);
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
        // SQLite rolls back by itself after some errors, such as a full disk.
        if (file.writer.isTransaction()) file.writer.run(ROLLBACK);
      } finally {
        endTransaction(connection);
      }
    },

    destroy: async () => file.close(),
  };
}

/** Whatever else it may be, it goes the way of a write. */
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
      await setTimeout(LOOK_AGAIN_MS);
    }
  }
}
