import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const installations: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('installations')
      .addColumn('workspace_id', 'text', (column) => column.primaryKey())
      .addColumn('sealed_token', 'text')
      .addColumn('sealed_refresh_token', 'text')
      .addColumn('expires_at', 'bigint')
      .addColumn('bot_id', 'text')
      .addColumn('bot_user_id', 'text')
      .addColumn('scopes', 'text')
      .addColumn('installed_by', 'text')
      .addColumn('installed_at', 'bigint', (column) => column.notNull())
      .addColumn('version', 'text', (column) => column.notNull())
      .addColumn('refreshing_until', 'bigint')
      .execute();
    await db.schema
      .createIndex('installations_to_refresh')
      .on('installations')
      .column('expires_at')
      .execute();

    await db.schema
      .createTable('organisation_workspaces')
      .addColumn('workspace_id', 'text', (column) => column.primaryKey())
      .addColumn('organisation_id', 'text', (column) => column.notNull())
      .addColumn('since', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('workspaces_of_organisation')
      .on('organisation_workspaces')
      .column('organisation_id')
      .execute();

    await db.schema
      .createTable('used_install_states')
      .addColumn('nonce', 'text', (column) => column.primaryKey())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute();
  },
};
