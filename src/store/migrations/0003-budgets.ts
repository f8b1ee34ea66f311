import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const budgets: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('budgets')
      .addColumn('fingerprint', 'text', (column) => column.primaryKey())
      .addColumn('call_limit', 'integer', (column) => column.notNull())
      .addColumn('calls', 'text', (column) => column.notNull())
      .addColumn('left_calls', 'integer')
      .addColumn('left_until', 'bigint')
      .addColumn('wait_until', 'bigint', (column) => column.notNull())
      .addColumn('revision', 'bigint', (column) => column.notNull())
      .addColumn('changed_at', 'bigint', (column) => column.notNull())
      .execute();
  },
};
