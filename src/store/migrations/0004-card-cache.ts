import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What replicas have read of cards, for each other. */
export const cardCache: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('card_cache')
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('fingerprint', 'text', (column) => column.notNull())
      .addColumn('card_id', 'text', (column) => column.notNull())
      .addColumn('answer', 'text')
      .addColumn('read_at', 'bigint')
      .addColumn('lease', 'text')
      .addColumn('lease_until', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('card_cache_key', ['workspace_id', 'fingerprint', 'card_id'])
      .execute();
  },
};
