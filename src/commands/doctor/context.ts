import { existsSync } from 'node:fs';
import type { Config } from '../../config/config.ts';
import { workspaceIdOf } from '../../installations/workspace-id.ts';
import { type Database, openDatabase } from '../../store/database.ts';
import { isPostgres } from '../../store/database-location.ts';
import { refuseBesideSetAside } from '../../store/sqlite/path.ts';
import { createStores } from '../../store/stores.ts';
import { askSlack, type SlackAnswer } from '../ask-slack.ts';
import { probeService } from '../probe-service.ts';
import type { Basics, KeyProblem } from './check.ts';

export type CheckContext = ReturnType<typeof createContext>;

/**
 * What checks may use once the settings are complete. Answers are kept, so that no question is asked twice. Close it
 * after the last check.
 *
 * @param basics.configToken an app configuration token, if the operator gave one: only with it does Slack show the app's
 *   manifest
 */
export function createContext(
  config: Config,
  basics: Basics & { configToken: string | undefined },
) {
  const { apiUrl, access } = config.slack;

  /** With the bot token; undefined with many workspaces, each of which has its own. */
  const authTest = once(async () =>
    access.kind === 'token' ? askSlack({ apiUrl, token: access.botToken }, 'auth.test') : undefined,
  );

  /** As Slack has it; undefined without a configuration token. */
  const manifest = once(async (): Promise<SlackAnswer | undefined> => {
    const token = basics.configToken;
    if (!token) return undefined;
    const answer = await authTest();
    if (answer?.kind !== 'answer') return answer;
    const botToken = access.kind === 'token' ? access.botToken : '';
    const appId = await appIdOf({ apiUrl, token: botToken }, answer.body);
    return askSlack({ apiUrl, token }, 'apps.manifest.export', { app_id: appId });
  });

  /** Open; undefined for an SQLite file that doesn't exist yet. Never creates or changes it. */
  const database = once(async (): Promise<Database | undefined> => {
    const location = config.database;
    // Opening creates a file that doesn't exist.
    if (isPostgres(location) || existsSync(location.path)) return openDatabase(location);
    refuseBesideSetAside(location.path);
    return undefined;
  });

  /** As the app does: the key in the settings only counts until the workspace has connected or disconnected one. */
  const keyInUse = once(async (): Promise<{ key: string } | KeyProblem> => {
    const answer = await authTest();
    const db = await database().catch(() => undefined);
    const { apiKey } = config.designApi;
    const ofSettings = apiKey === undefined ? 'none' : { key: apiKey };
    if (answer?.kind !== 'answer' || !answer.body.team_id || !db) return ofSettings;
    const { keys } = createStores(db, config.encryptionKeys);
    const workspaceId = workspaceIdOf(String(answer.body.team_id));
    const stored = await keys.describe(workspaceId).catch(() => undefined);
    if (stored === undefined) return ofSettings;
    if (stored.state !== 'active') return stored.state;
    return (await keys.open(workspaceId).catch(() => undefined)) ?? 'unreadable';
  });

  /** Tests the key that the single workspace uses, or says why it uses none. */
  const service = once(async () => {
    const key = await keyInUse();
    return typeof key === 'object' ? probeService(config.designApi, key.key) : key;
  });

  /** Whether another key than that of the settings is connected. */
  const isKeyIgnored = async () => {
    const key = await keyInUse();
    return typeof key === 'object' && ![undefined, key.key].includes(config.designApi.apiKey);
  };

  let opened: Promise<Database | undefined> | undefined;
  return {
    ...basics,
    config,
    authTest,
    manifest,
    service,
    isKeyIgnored,
    database: () => {
      opened = database();
      return opened;
    },
    close: async () => (await opened?.catch(() => undefined))?.destroy(),
  };
}

/** `auth.test` names the bot, and `bots.info` its app (docs.slack.dev/reference/methods/bots.info). */
export async function appIdOf(
  bot: { apiUrl: string; token: string },
  { bot_id: botId }: Record<string, unknown>,
): Promise<string> {
  if (typeof botId !== 'string') return '';
  const answer = await askSlack(bot, 'bots.info', { bot: botId });
  const found = answer.kind === 'answer' ? answer.body.bot : undefined;
  return typeof found === 'object' && found && 'app_id' in found ? String(found.app_id) : '';
}

function once<Value>(ask: () => Promise<Value>): () => Promise<Value> {
  let answer: Promise<Value> | undefined;
  return () => {
    answer ??= ask();
    return answer;
  };
}
