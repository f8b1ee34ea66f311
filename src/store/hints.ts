import type { WorkspaceId } from '../installations/workspace-id.ts';
import type { Database } from './database.ts';

/**
 * Which hints a person has seen and what they have asked for, so that each happens once, or once in a while; and which
 * links that they posted say that they are loading, so that this ends.
 */
export type HintStore = {
  /** @returns true for the first call only; the caller then shows the hint */
  recordFirst(workspaceId: WorkspaceId, userId: string, hint: string, now: Date): Promise<boolean>;
  /** The same for what may be done again after some time, in ms. */
  recordAgain(
    workspaceId: WorkspaceId,
    userId: string,
    hint: string,
    again: { afterMs: number; now: Date },
  ): Promise<boolean>;
  /** Undoes one of these, because what it was for failed. */
  undo(workspaceId: WorkspaceId, userId: string, hint: string): Promise<void>;
  hasHad(workspaceId: WorkspaceId, userId: string, hint: string): Promise<boolean>;
};

export function createHintStore(db: Database): HintStore {
  return {
    async recordFirst(workspaceId, userId, hint, now) {
      const added = await db
        .insertInto('hints')
        .values({ workspace_id: workspaceId, user_id: userId, hint, given_at: now.getTime() })
        .onConflict((conflict) => conflict.columns(['workspace_id', 'user_id', 'hint']).doNothing())
        .returning('hint')
        .execute();
      return added.length > 0;
    },

    async recordAgain(workspace_id, user_id, hint, { afterMs, now }) {
      const given_at = now.getTime();
      const taken = await db
        .insertInto('hints')
        .values({ workspace_id, user_id, hint, given_at })
        .onConflict((conflict) =>
          conflict
            .columns(['workspace_id', 'user_id', 'hint'])
            .doUpdateSet({ given_at })
            .where('hints.given_at', '<=', given_at - afterMs),
        )
        .returning('hint')
        .execute();
      return taken.length > 0;
    },

    async undo(workspaceId, userId, hint) {
      await db
        .deleteFrom('hints')
        .where('workspace_id', '=', workspaceId)
        .where('user_id', '=', userId)
        .where('hint', '=', hint)
        .execute();
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
