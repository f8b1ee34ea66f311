import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const interactionsAndClaims: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('interactions')
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('identity', 'text', (column) => column.notNull())
      .addColumn('taken_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('interactions_key', ['workspace_id', 'identity'])
      .execute();

    // Pruning looks at what is old, and not at the whole table.
    await db.schema
      .createIndex('jobs_finished')
      .on('jobs')
      .column('finished_at')
      .where(sql.ref('finished_at'), 'is not', null)
      .execute();
  },
};
