import { parseConfig } from '../../src/config.ts';
import { migrate, openDatabase } from '../../src/store/database.ts';
import { createStores } from '../../src/store/stores.ts';
import { workspaceNamed } from '../workspaces/ids.ts';

/**
 * Makes an app know many workspaces before it starts: each has connected a key of its own.
 *
 * @param env of the app
 */
export async function connectKeys(env: Record<string, string>, workspaces: number): Promise<void> {
  const config = parseConfig(env);
  const db = openDatabase(config.database);
  await migrate(db);
  const { keys } = createStores(db, config.encryptionKeys);
  const now = new Date();
  for (let number = 0; number < workspaces; number += 1) {
    await keys.save(
      workspaceNamed(`T1BENCH${number}`),
      `key-of-workspace-${number}`,
      'U0BENCH001',
      now,
    );
  }
  await db.destroy();
}
