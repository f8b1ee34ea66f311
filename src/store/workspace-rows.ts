import type { Database } from './database.ts';
import type { Schema } from './schema.ts';

/** A budget is the key's, and names no workspace. */
type TableOfWorkspaces = Exclude<keyof Schema, 'budgets'>;

/** Every table that holds something of a workspace; the compiler misses none. */
const TABLES = Object.keys({
  api_keys: true,
  requests: true,
  jobs: true,
  channel_brands: true,
  hints: true,
  workspace_settings: true,
  interactions: true,
} satisfies Record<TableOfWorkspaces, true>) as TableOfWorkspaces[];

export type WorkspaceRows = {
  /** Deletes everything of a workspace, in one transaction. @returns how many rows there were */
  deleteAll(workspaceId: string): Promise<number>;
};

export function createWorkspaceRows(db: Database): WorkspaceRows {
  return {
    deleteAll: (workspaceId) =>
      db.transaction().execute(async (tx) => {
        let deleted = 0;
        for (const table of TABLES) {
          const result = await tx
            .deleteFrom(table)
            .where('workspace_id', '=', workspaceId)
            .executeTakeFirst();
          deleted += Number(result.numDeletedRows);
        }
        return deleted;
      }),
  };
}
