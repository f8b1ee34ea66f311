import { type Driver, SqliteAdapter, SqliteDialect, type SqliteDialectConfig } from 'kysely';
import { PatientSqliteDriver } from './patient-driver.ts';

/**
 * SQLite rolls back changes of the schema too. Kysely's own adapter denies it, and would run a
 * migration statement by statement: a process killed midway would leave half of the tables, on which
 * no later start could go on.
 */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

export class TransactionalSqliteDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig;

  constructor(config: SqliteDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): Driver {
    return new PatientSqliteDriver(this.#config);
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalDdlAdapter();
  }
}
