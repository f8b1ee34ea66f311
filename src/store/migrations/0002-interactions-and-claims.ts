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

    // The next job is the first of the index, in the order of urgency, whatever else waits.
    await db.schema.dropIndex('jobs_to_run').execute();
    await db.schema
      .createIndex('jobs_to_claim')
      .on('jobs')
      .columns(['priority', 'run_at', 'id', 'workspace_id'])
      .where(sql.ref('state'), '=', sql.lit('ready'))
      .execute();

    await db.schema
      .alterTable('jobs')
      .addColumn('crashes', 'integer', (column) => column.notNull().defaultTo(0))
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
