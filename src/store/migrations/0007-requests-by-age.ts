import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const requestsByAge: Migration = {
  async up(db: Kysely<unknown>) {
    // Both columns, so that whose the newest requests are is read without the requests themselves.
    await db.schema
      .createIndex('requests_by_age')
      .on('requests')
      .columns(['created_at', 'workspace_id'])
      .execute();
  },
};
