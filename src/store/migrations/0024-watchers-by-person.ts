import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The cards that a person watches, for their Home tab. */
export const watchersByPerson: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createIndex('card_watchers_by_person')
      .on('card_watchers')
      .columns(['workspace_id', 'user_id', 'since'])
      .execute();
  },
};
