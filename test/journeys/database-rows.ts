import { openDatabase } from '../../src/store/database.ts';
import { WORKSPACE_TABLES } from '../../src/store/workspace-rows.ts';
import { workspaceNamed } from '../installations/ids.ts';
import type { World } from './world.ts';

/** Counts the rows of a workspace or organization: in the named tables, or in all of them. */
export async function rowsOf(
  world: World,
  id: string,
  tables: readonly (typeof WORKSPACE_TABLES)[number][] = WORKSPACE_TABLES,
): Promise<number> {
  const db = openDatabase(world.config.database);
  try {
    const counts = tables.map((table) =>
      db
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<number>().as('rows'))
        .where('workspace_id', '=', workspaceNamed(id))
        .executeTakeFirstOrThrow(),
    );
    return (await Promise.all(counts)).reduce((sum, { rows }) => sum + rows, 0);
  } finally {
    await db.destroy();
  }
}
