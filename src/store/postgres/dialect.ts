import { PostgresAdapter, PostgresDialect, sql } from 'kysely';
import type { Database } from '../database.ts';

/** The key of Kysely's own lock, which earlier versions hold while they migrate. */
const MIGRATION_LOCK = '3853314791062309107';

/**
 * Waits until no other process migrates, and holds the lock until the transaction ends. Kysely's lock belongs to the
 * session: behind a pooler that gives each transaction another one, it would never be released.
 *
 * @param tx in a transaction, in which Kysely's error would hide that of a table that may not be created
 */
export async function lockMigrations(tx: Database): Promise<void> {
  const { rows } = await sql<{ mayCreate: boolean }>`select
    pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)}),
    has_schema_privilege(current_schema(), 'create') as "mayCreate"`.execute(tx);
  if (!rows[0]?.mayCreate)
    throw Object.assign(new Error('No schema allows creating tables.'), {
      code: INSUFFICIENT_PRIVILEGE,
    });
}

const INSUFFICIENT_PRIVILEGE = '42501';

class WithoutSessionLock extends PostgresAdapter {
  override acquireMigrationLock = async (): Promise<void> => undefined;
  override releaseMigrationLock = async (): Promise<void> => undefined;
}

/** Migrations need `lockMigrations`. */
export class PooledPostgresDialect extends PostgresDialect {
  override createAdapter = (): PostgresAdapter => new WithoutSessionLock();
}
