import { type Dialect, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { createSqliteDriver } from './driver.ts';
import { openNodeSqlite } from './node-sqlite.ts';

/**
 * SQLite rolls back changes of the schema too. Kysely's own adapter denies it, and would run a
 * migration statement by statement: a process killed midway would leave half of the tables, on which
 * no later start could go on.
 */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }

  /** The driver itself says who waits for whom; Kysely would let reads wait for writes. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/** @throws the driver's error where the file can't be opened or is not a database */
export function sqliteDialect(path: string): Dialect {
  const file = openNodeSqlite(path);
  return {
    createDriver: () => createSqliteDriver(file),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new TransactionalDdlAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}
