import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely';

/** Before a statement runs, or after it has run but before the app knows. */
export type StatementMoment = {
  /** The same object before and after. */
  execution: object;
  when: 'before' | 'after';
  sql: string;
  parameters: readonly unknown[];
  /** Whether the statement changed what another process would read. */
  hasChanged: boolean;
};

export type StatementGate = (moment: StatementMoment) => Promise<void>;

/** A dialect that calls the gate for each statement, including begin, commit and rollback. */
export function gatedDialect(dialect: Dialect, gate: StatementGate): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createDriver: () => gatedDriver(dialect.createDriver(), gate),
  };
}

type Statement = { sql: string; parameters: readonly unknown[] };

function gatedDriver(driver: Driver, gate: StatementGate): Driver {
  /** The driver's connection behind each one that Kysely holds. */
  const behind = new WeakMap<DatabaseConnection, DatabaseConnection>();
  const inTransaction = new WeakSet<DatabaseConnection>();
  const own = (connection: DatabaseConnection) => behind.get(connection) ?? connection;

  async function pass<Result>(
    { sql, parameters }: Statement,
    run: () => Promise<Result>,
    changes: (result: Result) => boolean,
  ): Promise<Result> {
    const execution = {};
    await gate({ execution, when: 'before', sql, parameters, hasChanged: false });
    let hasChanged = false;
    try {
      const result = await run();
      hasChanged = changes(result);
      return result;
    } finally {
      await gate({ execution, when: 'after', sql, parameters, hasChanged });
    }
  }

  return {
    init: () => driver.init(),
    async acquireConnection() {
      const connection = await driver.acquireConnection();
      const gated: DatabaseConnection = {
        executeQuery: <Row>(query: CompiledQuery) =>
          pass(
            query,
            () => connection.executeQuery<Row>(query),
            (result) => !inTransaction.has(gated) && !isRead(query.sql) && hasChangedRows(result),
          ),
        streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
      };
      behind.set(gated, connection);
      return gated;
    },
    async beginTransaction(connection, settings) {
      const begin = () => driver.beginTransaction(own(connection), settings);
      await pass({ sql: 'begin', parameters: [] }, begin, () => false);
      inTransaction.add(connection);
    },
    async commitTransaction(connection) {
      const commit = () => driver.commitTransaction(own(connection));
      await pass({ sql: 'commit', parameters: [] }, commit, () => true);
      inTransaction.delete(connection);
    },
    async rollbackTransaction(connection) {
      const rollback = () => driver.rollbackTransaction(own(connection));
      await pass({ sql: 'rollback', parameters: [] }, rollback, () => false);
      inTransaction.delete(connection);
    },
    releaseConnection: (connection) => driver.releaseConnection(own(connection)),
    destroy: () => driver.destroy(),
  };
}

const isRead = (sql: string): boolean => sql.startsWith('select ');

const hasChangedRows = ({ rows, numAffectedRows = 0n }: QueryResult<unknown>): boolean =>
  rows.length > 0 || numAffectedRows > 0n;
