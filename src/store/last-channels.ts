import { sql } from 'kysely';
import type { WorkspaceId } from '../installations/workspace-id.ts';
import { deleteInBatches } from './batches.ts';
import { commitTogether } from './commit-together.ts';
import type { Database } from './database.ts';
import { inLockOrder } from './in-lock-order.ts';
import type { LastChannelsTable } from './schema.ts';

/** The channel in which each person last used the app. */
export type LastChannelStore = {
  get(workspaceId: WorkspaceId, userId: string): Promise<string | undefined>;
  remember(workspaceId: WorkspaceId, userId: string, channelId: string, now: Date): Promise<void>;
  /** Deletes the channels of people who haven't used the app since. @returns how many */
  prune(usedBefore: Date): Promise<number>;
};

export function createLastChannelStore(db: Database): LastChannelStore {
  const writeTogether = commitTogether(async (rows: readonly LastChannelsTable[]) => {
    await db
      .insertInto('last_channels')
      .values(inLockOrder(rows, (row) => `${row.workspace_id}/${row.user_id}`))
      .onConflict((conflict) =>
        conflict.columns(['workspace_id', 'user_id']).doUpdateSet((eb) => ({
          channel_id: eb.ref('excluded.channel_id'),
          used_at: eb.ref('excluded.used_at'),
        })),
      )
      .execute();
    return rows.map(() => undefined);
  });

  return {
    async get(workspaceId, userId) {
      const row = await db
        .selectFrom('last_channels')
        .select('channel_id')
        .where('workspace_id', '=', workspaceId)
        .where('user_id', '=', userId)
        .executeTakeFirst();
      return row?.channel_id;
    },

    remember: (workspace_id, user_id, channel_id, now) =>
      writeTogether({ workspace_id, user_id, channel_id, used_at: now.getTime() }),

    prune: (usedBefore) =>
      deleteInBatches(db, 'last_channels', sql`used_at < ${usedBefore.getTime()} order by used_at`),
  };
}
