import type { DatabaseConnection, Dialect, Driver } from 'kysely';

/**
 * What the database is waited for: `connect` for a free connection to Postgres, `begin` for a transaction (on SQLite,
 * for the writes before it), `read` and `write` for a statement, `commit` for the disk.
 */
export const DATABASE_STEPS = ['connect', 'begin', 'read', 'write', 'commit'] as const;
export type DatabaseStep = (typeof DATABASE_STEPS)[number];

/** @param error why it failed, if it did */
export type OnStep = (step: DatabaseStep, seconds: number, error?: unknown) => void;

const MS_PER_SECOND = 1_000;

/** A dialect that reports how long each step took. Kysely's own log leaves out everything but statements. */
export function timedDialect(dialect: Dialect, took: OnStep): Dialect {
  return {
    createDriver: () => timeDriver(dialect.createDriver(), took),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
  };
}

/** Replaces methods of the driver, and of its connections, which drivers recognize by identity. */
function timeDriver(driver: Driver, took: OnStep): Driver {
  const timed = new WeakSet<DatabaseConnection>();
  const acquire = driver.acquireConnection.bind(driver);
  const begin = driver.beginTransaction.bind(driver);
  const commit = driver.commitTransaction.bind(driver);
  driver.acquireConnection = async (options) => {
    const connection = await time('connect', took, () => acquire(options));
    if (!timed.has(connection)) timeStatements(connection, took);
    timed.add(connection);
    return connection;
  };
  driver.beginTransaction = (...asked) => time('begin', took, () => begin(...asked));
  driver.commitTransaction = (connection) => time('commit', took, () => commit(connection));
  return driver;
}

function timeStatements(connection: DatabaseConnection, took: OnStep): void {
  const execute = connection.executeQuery.bind(connection);
  connection.executeQuery = (query, options) =>
    time(query.sql.startsWith('select ') ? 'read' : 'write', took, () => execute(query, options));
}

async function time<Result>(
  step: DatabaseStep,
  took: OnStep,
  run: () => Promise<Result>,
): Promise<Result> {
  const begunAt = performance.now();
  const seconds = () => (performance.now() - begunAt) / MS_PER_SECOND;
  try {
    const result = await run();
    took(step, seconds());
    return result;
  } catch (error) {
    took(step, seconds(), error);
    throw error;
  }
}
