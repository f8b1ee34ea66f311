import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const lastChannels: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('last_channels')
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('channel_id', 'text', (column) => column.notNull())
      .addColumn('used_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('last_channels_key', ['workspace_id', 'user_id'])
      .execute();
    await db.schema
      .createIndex('last_channels_by_use')
      .on('last_channels')
      .column('used_at')
      .execute();
  },
};
