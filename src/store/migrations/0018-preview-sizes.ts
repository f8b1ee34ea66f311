import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Previews are large or small instead of full or compact, and each channel may have its own size. */
export const previewSizes: Migration = {
  async up(db: Kysely<{ workspace_settings: { unfurls: string } }>) {
    const renamed = { full: 'large', compact: 'small' };
    for (const [before, unfurls] of Object.entries(renamed)) {
      await db
        .updateTable('workspace_settings')
        .set({ unfurls })
        .where('unfurls', '=', before)
        .execute();
    }
    await db.schema
      .createTable('channel_settings')
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('channel_id', 'text', (column) => column.notNull())
      .addColumn('unfurls', 'text')
      .addColumn('changed_by', 'text', (column) => column.notNull())
      .addColumn('changed_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('channel_settings_key', ['workspace_id', 'channel_id'])
      .execute();
  },
};
