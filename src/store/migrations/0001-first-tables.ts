import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { engineOf } from '../engine.ts';

export const firstTables: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('api_keys')
      .addColumn('workspace_id', 'text', (column) => column.primaryKey())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('sealed_key', 'text')
      .addColumn('last_four', 'text')
      .addColumn('fingerprint', 'text')
      .addColumn('connected_by', 'text')
      .addColumn('changed_at', 'bigint', (column) => column.notNull())
      .execute();

    await db.schema
      .createTable('requests')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('reference', 'text', (column) => column.notNull().unique())
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('form', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('problem', 'text')
      .addColumn('revision', 'integer', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('card_id', 'text')
      .addColumn('view_id', 'text')
      .addColumn('message_channel', 'text')
      .addColumn('message_ts', 'text')
      .addColumn('announced_revision', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('requests_by_author')
      .on('requests')
      .columns(['workspace_id', 'user_id', 'created_at'])
      .execute();
    await db.schema
      .createIndex('requests_by_state')
      .on('requests')
      .columns(['workspace_id', 'state'])
      .execute();

    const jobs = db.schema.createTable('jobs');
    const numbered =
      engineOf(db) === 'postgres'
        ? jobs.addColumn('id', 'bigint', (column) =>
            column.primaryKey().generatedByDefaultAsIdentity(),
          )
        : jobs.addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement());
    await numbered
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('identity', 'text', (column) => column.unique())
      .addColumn('payload', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('priority', 'integer', (column) => column.notNull())
      .addColumn('run_at', 'bigint', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('fence', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('finished_at', 'bigint')
      .execute();
    // Only what still has to run is looked for, so the index stays small however much is kept.
    await db.schema
      .createIndex('jobs_to_run')
      .on('jobs')
      .columns(['run_at', 'id'])
      .where(sql.ref('state'), '=', sql.lit('ready'))
      .execute();

    await db.schema
      .createTable('channel_brands')
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('channel_id', 'text', (column) => column.notNull())
      .addColumn('brand_id', 'text', (column) => column.notNull())
      .addColumn('changed_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('channel_brands_key', ['workspace_id', 'channel_id'])
      .execute();

    await db.schema
      .createTable('hints')
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('hint', 'text', (column) => column.notNull())
      .addColumn('given_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('hints_key', ['workspace_id', 'user_id', 'hint'])
      .execute();

    await db.schema
      .createTable('workspace_settings')
      .addColumn('workspace_id', 'text', (column) => column.primaryKey())
      .addColumn('unfurls', 'text', (column) => column.notNull())
      .addColumn('share_externally', 'integer', (column) => column.notNull())
      .addColumn('guests_read', 'integer', (column) => column.notNull())
      .addColumn('project_id', 'text')
      .addColumn('changed_by', 'text', (column) => column.notNull())
      .addColumn('changed_at', 'bigint', (column) => column.notNull())
      .execute();
  },
};
