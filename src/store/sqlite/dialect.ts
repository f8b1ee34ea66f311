import { type Dialect, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { createSqliteDriver } from './driver.ts';
import { openNodeSqlite } from './node-sqlite.ts';
import { rememberFiles } from './same-files.ts';

/**
 * SQLite can roll back DDL, but Kysely's adapter says that it can't, and would run migrations without a
 * transaction: a process that is killed midway would leave tables on which no later migration works.
 */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }

  /** Our driver coordinates writes itself. Kysely would also make reads wait for them. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/**
 * @param path as configured
 * @param real from `locateSqlite`
 * @throws the driver's error if the file can't be opened or is not a database
 */
export function sqliteDialect(path: string, real: string): Dialect {
  const file = openNodeSqlite(real);
  const requireSameFiles = rememberFiles(path, real);
  return {
    createDriver: () => createSqliteDriver(file, requireSameFiles),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new TransactionalDdlAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}
