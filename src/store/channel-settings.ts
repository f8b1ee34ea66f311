import type { WorkspaceId } from '../installations/workspace-id.ts';
import type { Database } from './database.ts';
import { createRowReader } from './row-reader.ts';
import { type Previews, previews } from './workspace-settings.ts';

/** What a channel has of its own; the rest is as in its workspace. */
export type ChannelSettings = {
  unfurls?: Previews | undefined;
  /** Whether changes of watched cards aren't posted there; their watchers get direct messages. */
  muted?: boolean | undefined;
};

export type ChannelSettingsStore = {
  get(workspaceId: WorkspaceId, channelId: string): Promise<ChannelSettings>;
  save(
    workspaceId: WorkspaceId,
    channelId: string,
    settings: ChannelSettings,
    changed: { by: string; now: Date },
  ): Promise<void>;
};

export function createChannelSettingsStore(
  db: Database,
  read = createRowReader(),
): ChannelSettingsStore {
  return {
    async get(workspaceId, channelId) {
      const row = await db
        .selectFrom('channel_settings')
        .select(['unfurls', 'muted'])
        .where('workspace_id', '=', workspaceId)
        .where('channel_id', '=', channelId)
        .executeTakeFirst();
      const named = { table: 'channel_settings', id: channelId, workspace: workspaceId } as const;
      const unfurls = row?.unfurls && read(named, () => previews.parse(row.unfurls));
      return { unfurls: unfurls || undefined, muted: row?.muted === 1 || undefined };
    },

    async save(workspaceId, channelId, { unfurls, muted }, { by, now }) {
      const row = {
        unfurls: unfurls ?? null,
        muted: muted ? (1 as const) : (0 as const),
        changed_by: by,
        changed_at: now.getTime(),
      };
      await db
        .insertInto('channel_settings')
        .values({ workspace_id: workspaceId, channel_id: channelId, ...row })
        .onConflict((conflict) => conflict.columns(['workspace_id', 'channel_id']).doUpdateSet(row))
        .execute();
    },
  };
}
