import { parseConfig } from '../../src/config/config.ts';
import { migrate, openDatabase } from '../../src/store/database.ts';
import { createStores } from '../../src/store/stores.ts';
import { workspaceNamed } from '../installations/ids.ts';
import type { DesignService } from '../stand-ins/design-service/server.ts';
import { tokenOf } from './load/answering-slack.ts';

const INSTALLER = 'U0BENCH001';

/** Additional settings with which the app accepts many workspaces. */
export const BY_OAUTH = {
  SLACK_BOT_TOKEN: '',
  DESIGN_API_KEY: '',
  SLACK_CLIENT_ID: '1234567890.0987654321',
  SLACK_CLIENT_SECRET: 'client-secret-of-the-benchmarks',
  PUBLIC_URL: 'https://app.example.com',
};

/** The IDs of the first so many workspaces. */
export const workspaceIds = (count: number): string[] =>
  Array.from({ length: count }, (_, number) => `T1BENCH${number}`);

/**
 * Fills an app's database before it starts: many workspaces, each of which has installed the app and connected a
 * key.
 *
 * @param env of the app
 */
export async function installWorkspaces(
  env: Record<string, string>,
  { count, service }: { count: number; service: Pick<DesignService, 'issueKey'> },
): Promise<void> {
  const config = parseConfig(env);
  const db = openDatabase(config.database);
  await migrate(db);
  const { keys, installations } = createStores(db, config.encryptionKeys);
  const now = new Date();
  for (const name of workspaceIds(count)) {
    const id = workspaceNamed(name);
    const token = tokenOf(id);
    const bot = { botUserId: 'U0BENCHBOT' };
    const scopes = ['commands', 'links:read', 'links:write'];
    await installations.save({ id, token, ...bot, scopes, installedBy: INSTALLER }, now);
    await keys.save(id, service.issueKey(), INSTALLER, now);
  }
  await db.destroy();
}
