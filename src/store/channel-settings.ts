import type { WorkspaceId } from '../installations/workspace-id.ts';
import type { Database } from './database.ts';
import type { Previews } from './workspace-settings.ts';

/** What a channel has of its own; the rest is as in its workspace. */
export type ChannelSettings = { unfurls?: Previews | undefined };

export type ChannelSettingsStore = {
  get(workspaceId: WorkspaceId, channelId: string): Promise<ChannelSettings>;
  save(
    workspaceId: WorkspaceId,
    channelId: string,
    settings: ChannelSettings,
    changed: { by: string; now: Date },
  ): Promise<void>;
};

export function createChannelSettingsStore(db: Database): ChannelSettingsStore {
  return {
    async get(workspaceId, channelId) {
      const row = await db
        .selectFrom('channel_settings')
        .select('unfurls')
        .where('workspace_id', '=', workspaceId)
        .where('channel_id', '=', channelId)
        .executeTakeFirst();
      return { unfurls: row?.unfurls ?? undefined };
    },

    async save(workspaceId, channelId, { unfurls }, { by, now }) {
      const row = { unfurls: unfurls ?? null, changed_by: by, changed_at: now.getTime() };
      await db
        .insertInto('channel_settings')
        .values({ workspace_id: workspaceId, channel_id: channelId, ...row })
        .onConflict((conflict) => conflict.columns(['workspace_id', 'channel_id']).doUpdateSet(row))
        .execute();
    },
  };
}
