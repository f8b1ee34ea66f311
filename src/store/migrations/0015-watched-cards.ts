import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const watchedCards: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('watched_cards')
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('card_id', 'text', (column) => column.notNull())
      .addColumn('watch_id', 'text', (column) => column.notNull())
      .addColumn('request_id', 'text')
      .addColumn('told', 'text')
      .addColumn('revision', 'integer', (column) => column.notNull())
      .addColumn('changed_at', 'bigint', (column) => column.notNull())
      .addColumn('told_at', 'bigint')
      .addColumn('unreadable_since', 'bigint')
      .addPrimaryKeyConstraint('watched_cards_key', ['workspace_id', 'card_id'])
      .execute();
    await db.schema
      .createIndex('watched_cards_by_age')
      .on('watched_cards')
      .column('changed_at')
      .execute();
    await db.schema
      .createIndex('watched_cards_by_request')
      .on('watched_cards')
      .column('request_id')
      .execute();

    await db.schema
      .createTable('card_watchers')
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('card_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('channel_id', 'text')
      .addColumn('thread_ts', 'text')
      .addColumn('since', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('card_watchers_key', ['workspace_id', 'card_id', 'user_id'])
      .execute();

    await db.schema
      .createTable('card_messages')
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('card_id', 'text', (column) => column.notNull())
      .addColumn('channel_id', 'text', (column) => column.notNull())
      .addColumn('message_ts', 'text', (column) => column.notNull())
      .addColumn('shown', 'text', (column) => column.notNull())
      .addColumn('shown_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('card_messages_key', [
        'workspace_id',
        'card_id',
        'channel_id',
        'message_ts',
      ])
      .execute();
  },
};
