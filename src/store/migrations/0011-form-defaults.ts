import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const formDefaults: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('form_defaults')
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('owner', 'text', (column) => column.notNull())
      .addColumn('scope', 'text', (column) => column.notNull())
      .addColumn('choices', 'text', (column) => column.notNull())
      .addColumn('changed_by', 'text')
      .addColumn('changed_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('form_defaults_key', ['workspace_id', 'owner', 'scope'])
      .execute();
    await db.schema
      .createIndex('form_defaults_by_age')
      .on('form_defaults')
      .column('changed_at')
      .execute();

    await db.schema
      .createTable('unfinished_forms')
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('form_id', 'text', (column) => column.notNull())
      .addColumn('form', 'text', (column) => column.notNull())
      .addColumn('saved_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('unfinished_forms_key', ['workspace_id', 'user_id', 'form_id'])
      .execute();
    await db.schema
      .createIndex('unfinished_forms_of_a_person')
      .on('unfinished_forms')
      .columns(['workspace_id', 'user_id', 'saved_at'])
      .execute();
    await db.schema
      .createIndex('unfinished_forms_by_age')
      .on('unfinished_forms')
      .column('saved_at')
      .execute();
  },
};
