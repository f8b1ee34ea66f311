import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** When it was decided when a job runs, by which a clock that was set back since is told. */
export const jobsScheduledAt: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('jobs').addColumn('scheduled_at', 'bigint').execute();
    // With it, so that looking through all jobs that wait reads nothing but the index.
    await db.schema.dropIndex('jobs_to_claim').execute();
    await db.schema
      .createIndex('jobs_to_claim')
      .on('jobs')
      .columns(['priority', 'run_at', 'id', 'workspace_id', 'scheduled_at'])
      .where(sql.ref('state'), '=', sql.lit('ready'))
      .execute();
  },
};
