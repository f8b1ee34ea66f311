import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const knownLists: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('known_lists')
      .addColumn('workspace_id', 'text', (column) => column.primaryKey())
      .addColumn('lists', 'text', (column) => column.notNull())
      .addColumn('changed_at', 'bigint', (column) => column.notNull())
      .execute();
  },
};
