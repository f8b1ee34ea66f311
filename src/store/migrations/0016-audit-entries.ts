import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const auditEntries: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('audit_entries')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('what', 'text', (column) => column.notNull())
      .addColumn('done_by', 'text')
      .addColumn('details', 'text', (column) => column.notNull())
      .addColumn('done_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('audit_entries_of_a_workspace')
      .on('audit_entries')
      .columns(['workspace_id', 'done_at', 'id'])
      .execute();
    await db.schema
      .createIndex('audit_entries_by_age')
      .on('audit_entries')
      .column('done_at')
      .execute();
  },
};
