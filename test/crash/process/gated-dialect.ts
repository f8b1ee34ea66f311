import type { CompiledQuery, DatabaseConnection, Dialect, QueryResult } from 'kysely';

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
  const createDriver = dialect.createDriver.bind(dialect);
  const gated = new WeakSet<DatabaseConnection>();
  return Object.assign(dialect, {
    createDriver() {
      const driver = createDriver();
      const acquire = driver.acquireConnection.bind(driver);
      return Object.assign(driver, {
        async acquireConnection() {
          const connection = await acquire();
          if (!gated.has(connection)) gateStatements(connection, gate);
          gated.add(connection);
          return connection;
        },
      });
    },
  });
}

function gateStatements(connection: DatabaseConnection, gate: StatementGate): void {
  const execute = connection.executeQuery.bind(connection);
  let isInTransaction = false;
  connection.executeQuery = async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
    const { sql, parameters } = query;
    const execution = {};
    await gate({ execution, when: 'before', sql, parameters, hasChanged: false });
    let hasChanged = false;
    try {
      const result = await execute<Row>(query);
      if (sql.startsWith('begin')) isInTransaction = true;
      if (sql === 'commit' || sql === 'rollback') isInTransaction = false;
      hasChanged = sql === 'commit' || (!isInTransaction && hasChangedRows(sql, result));
      return result;
    } finally {
      await gate({ execution, when: 'after', sql, parameters, hasChanged });
    }
  };
}

const hasChangedRows = (
  sql: string,
  { rows, numAffectedRows = 0n }: QueryResult<unknown>,
): boolean => !sql.startsWith('select ') && (rows.length > 0 || numAffectedRows > 0n);
