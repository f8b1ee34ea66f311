import type { WorkspaceId } from '../installations/workspace-id.ts';
import type { Database } from './database.ts';

/** The lists that were last read, for when the workspace has no usable key. */
export type KnownListStore = {
  /** @returns JSON, or undefined if none were ever read */
  get(workspaceId: WorkspaceId): Promise<string | undefined>;
  /** Has no effect if they are stored already. */
  save(workspaceId: WorkspaceId, lists: string, now: Date): Promise<void>;
};

export function createKnownListStore(db: Database): KnownListStore {
  return {
    async get(workspaceId) {
      const row = await db
        .selectFrom('known_lists')
        .select('lists')
        .where('workspace_id', '=', workspaceId)
        .executeTakeFirst();
      return row?.lists;
    },

    async save(workspace_id, lists, now) {
      const row = { lists, changed_at: now.getTime() };
      await db
        .insertInto('known_lists')
        .values({ workspace_id, ...row })
        .onConflict((conflict) =>
          conflict.column('workspace_id').doUpdateSet(row).where('known_lists.lists', '!=', lists),
        )
        .execute();
    },
  };
}
