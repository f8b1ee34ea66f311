import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Who runs a job and who sends a request, so that several processes can share them. */
export const replicas: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('replicas')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('alive_until', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.alterTable('jobs').addColumn('claimed_by', 'text').execute();
    await db.schema.alterTable('requests').addColumn('sent_by', 'text').execute();
    // Looked through every few seconds for what a dead process left.
    await db.schema
      .createIndex('jobs_running')
      .on('jobs')
      .columns(['claimed_by'])
      .where(sql.ref('state'), '=', sql.lit('running'))
      .execute();
  },
};
