import type { WorkspaceId } from '../installations/workspace-id.ts';
import type { Database } from './database.ts';

/** The brand that was last chosen in each channel. */
export type ChannelBrandStore = {
  get(workspaceId: WorkspaceId, channelId: string): Promise<string | undefined>;
  remember(workspaceId: WorkspaceId, channelId: string, brandId: string, now: Date): Promise<void>;
};

export function createChannelBrandStore(db: Database): ChannelBrandStore {
  return {
    async get(workspaceId, channelId) {
      const row = await db
        .selectFrom('channel_brands')
        .select('brand_id')
        .where('workspace_id', '=', workspaceId)
        .where('channel_id', '=', channelId)
        .executeTakeFirst();
      return row?.brand_id;
    },

    async remember(workspaceId, channelId, brandId, now) {
      const chosen = { brand_id: brandId, changed_at: now.getTime() };
      await db
        .insertInto('channel_brands')
        .values({ workspace_id: workspaceId, channel_id: channelId, ...chosen })
        .onConflict((conflict) =>
          conflict.columns(['workspace_id', 'channel_id']).doUpdateSet(chosen),
        )
        .execute();
    },
  };
}
