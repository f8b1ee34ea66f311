import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Finds rows by an index in every table that grows. A test checks the plan of each statement. */
export const indexesOfLargeTables: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.createIndex('jobs_of_workspace').on('jobs').column('workspace_id').execute();

    // In the order in which they were made, which doesn't change while one reads page by page.
    await db.schema.dropIndex('requests_by_state').execute();
    await db.schema
      .createIndex('requests_by_state')
      .on('requests')
      .columns(['workspace_id', 'state', 'created_at', 'id'])
      .execute();
    await db.schema
      .createIndex('requests_unfinished')
      .on('requests')
      .columns(['state', 'created_at', 'id'])
      .where(sql<SqlBool>`state in ('queued', 'sending', 'waiting_for_key')`)
      .execute();
    await db.schema
      .createIndex('requests_unannounced')
      .on('requests')
      .columns(['created_at', 'id'])
      .where(sql<SqlBool>`announced_revision < revision and state not in ('queued', 'sending')`)
      .execute();
    await db.schema
      .createIndex('requests_settled')
      .on('requests')
      .column('updated_at')
      .where(sql<SqlBool>`state in ('created', 'rejected', 'discarded')`)
      .execute();

    await db.schema
      .createIndex('interactions_by_age')
      .on('interactions')
      .column('taken_at')
      .execute();
    await db.schema
      .createIndex('card_cache_by_age')
      .on('card_cache')
      .columns(['read_at', 'lease_until'])
      .execute();
    await db.schema
      .createIndex('used_install_states_by_age')
      .on('used_install_states')
      .column('expires_at')
      .execute();
  },
};
