import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The reference lists that were read, for all replicas, and for workspaces whose lists aren't in memory. */
export const listCache: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('list_cache')
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('fingerprint', 'text', (column) => column.notNull())
      .addColumn('list', 'text', (column) => column.notNull())
      .addColumn('answer', 'text')
      .addColumn('read_at', 'bigint')
      .addColumn('lease', 'text')
      .addColumn('lease_until', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('list_cache_key', ['workspace_id', 'fingerprint', 'list'])
      .execute();
    await db.schema
      .createIndex('list_cache_by_age')
      .on('list_cache')
      .columns(['read_at', 'lease_until'])
      .execute();
  },
};
