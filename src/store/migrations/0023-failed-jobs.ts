import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Lists failed jobs, of which there are few, without reading those that are done. */
export const failedJobs: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createIndex('jobs_failed')
      .on('jobs')
      .column('id')
      .where(sql.ref('state'), '=', sql.lit('failed'))
      .execute();
  },
};
