import type { WorkspaceId } from '../installations/workspace-id.ts';
import type { Database } from './database.ts';

/** Which hints a person has seen, so that each is shown once. */
export type HintStore = {
  /** @returns true for the first call only; the caller then shows the hint */
  takeTurn(workspaceId: WorkspaceId, userId: string, hint: string, now: Date): Promise<boolean>;
  hasHad(workspaceId: WorkspaceId, userId: string, hint: string): Promise<boolean>;
};

export function createHintStore(db: Database): HintStore {
  return {
    async takeTurn(workspaceId, userId, hint, now) {
      const added = await db
        .insertInto('hints')
        .values({ workspace_id: workspaceId, user_id: userId, hint, given_at: now.getTime() })
        .onConflict((conflict) => conflict.columns(['workspace_id', 'user_id', 'hint']).doNothing())
        .returning('hint')
        .execute();
      return added.length > 0;
    },

    async hasHad(workspaceId, userId, hint) {
      const row = await db
        .selectFrom('hints')
        .select('hint')
        .where('workspace_id', '=', workspaceId)
        .where('user_id', '=', userId)
        .where('hint', '=', hint)
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}
