import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Lets the metrics count what waits by reading nothing but indexes. */
export const backlog: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.dropIndex('jobs_to_claim').execute();
    await db.schema
      .createIndex('jobs_to_claim')
      .on('jobs')
      .columns(['priority', 'run_at', 'id', 'workspace_id', 'scheduled_at', 'kind'])
      .where(sql.ref('state'), '=', sql.lit('ready'))
      .execute();
    // Most requests are never in it.
    await db.schema
      .createIndex('requests_in_doubt')
      .on('requests')
      .column('created_at')
      .where(sql.ref('state'), '=', sql.lit('in_doubt'))
      .execute();
  },
};
