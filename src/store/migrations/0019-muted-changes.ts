import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Workspaces and channels may turn off the messages about changes of watched cards. */
export const mutedChanges: Migration = {
  async up(db: Kysely<unknown>) {
    for (const table of ['workspace_settings', 'channel_settings']) {
      await db.schema
        .alterTable(table)
        .addColumn('muted', 'integer', (column) => column.notNull().defaultTo(0))
        .execute();
    }
  },
};
