import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Whether cards are shown as Work Objects, and when Slack last refused one. */
export const workObjects: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('workspace_settings')
      .addColumn('work_objects', 'text', (column) => column.notNull().defaultTo('off'))
      .execute();
    await db.schema
      .alterTable('workspace_settings')
      .addColumn('work_objects_refused_at', 'bigint')
      .execute();
  },
};
