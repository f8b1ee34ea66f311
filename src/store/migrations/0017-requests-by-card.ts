import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Finds who requested a card, for each preview. */
export const requestsByCard: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createIndex('requests_by_card')
      .on('requests')
      .columns(['workspace_id', 'card_id'])
      .where(sql<SqlBool>`card_id is not null`)
      .execute();
  },
};
