import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { WORKSPACE_TABLES } from '../../src/store/workspace-rows.ts';
import type { World } from './world.ts';

/** How many rows of a workspace, or an organisation, lie in the tables; in all unless some are named. */
export function rowsOf(
  world: World,
  workspaceId: string,
  tables: readonly string[] = WORKSPACE_TABLES,
): number {
  const db = new DatabaseSync(join(world.folder, 'app.db'), { readOnly: true });
  try {
    const counts = tables.map((table) =>
      Number(
        db.prepare(`select count(*) as n from ${table} where workspace_id = ?`).get(workspaceId)?.n,
      ),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  } finally {
    db.close();
  }
}
