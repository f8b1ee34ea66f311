import { existsSync } from 'node:fs';
import { Agent } from 'node:http';
import { type Config, parseConfig } from '../../config/config.ts';
import { ConfigError } from '../../config/config-error.ts';
import { databaseIn } from '../../config/settings.ts';
import { workspaceIdOf } from '../../installations/workspace-id.ts';
import { httpFetch } from '../../slack/client/slack-client.ts';
import { type Database, openDatabase } from '../../store/database.ts';
import { isPostgres } from '../../store/database-location.ts';
import { refuseBesideSetAside } from '../../store/sqlite/path.ts';
import { createStores } from '../../store/stores.ts';
import { askSlack } from '../ask-slack.ts';
import { probeService } from '../probe-service.ts';

/** What a check found. `failed` means that something doesn't work; `warning` that something may be lost or surprise. */
export type Finding =
  | { result: 'passed'; detail: string }
  | { result: 'warning' | 'failed'; problem: string; fix: string }
  | { result: 'skipped'; why: string };

export const passed = (detail: string): Finding => ({ result: 'passed', detail });
export const skipped = (why: string): Finding => ({ result: 'skipped', why });
const trouble =
  (result: 'warning' | 'failed') =>
  (problem: string, fix: string): Finding => ({ result, problem, fix });
export const warning = trouble('warning');
export const failed = trouble('failed');

export type Check = {
  /** As in the output. */
  name: string;
  /** What holds if the check passes. */
  about: string;
  /** Whether it is cheap enough to run at each start, too. */
  atStart?: true;
} & (
  | {
      needsSettings?: true;
      /** Only reads. */
      run(context: CheckContext): Finding | Promise<Finding>;
      repair?: never;
    }
  | {
      needsSettings: false;
      run(basics: Basics): Finding | Promise<Finding>;
      /** Changes something, with `--fix`. @returns what it did */
      repair?(basics: Basics): Promise<string>;
    }
);

export type Basics = ReturnType<typeof createBasics>;

/**
 * What is there even if settings are missing or wrong. Close it after the last check.
 *
 * @param given.env the variables of the process, with those of the settings file
 * @param given.envFile the settings file, which need not exist
 */
export function createBasics(given: {
  env: Record<string, string | undefined>;
  envFile: string;
  now: () => Date;
}) {
  const opened = new AsyncDisposableStack();
  /** Undefined if DATABASE_URL is malformed. */
  const location = databaseIn(given.env);
  return {
    ...given,
    location,
    settings: settingsIn(given.env),
    /** Undefined for an SQLite file that doesn't exist yet. Never creates or changes it. */
    database: once(async (): Promise<Database | undefined> => {
      if (!location) return undefined;
      // Opening creates a file that doesn't exist.
      if (!isPostgres(location) && !existsSync(location.path)) {
        refuseBesideSetAside(location.path);
        return undefined;
      }
      return opened.adopt(openDatabase(location), (db) => db.destroy());
    }),
    close: () => opened.disposeAsync(),
  };
}

function settingsIn(env: Record<string, string | undefined>): Config | ConfigError {
  try {
    return parseConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
}

type CheckContext = ReturnType<typeof createContext>;

export type KeyProblem = 'none' | 'rejected' | 'disconnected' | 'unreadable';

/** What checks may use if the settings are right. Answers are kept, so that no question is asked twice. */
export function createContext(config: Config, basics: Basics) {
  const { apiUrl, access } = config.slack;
  /** With the bot token; undefined with many workspaces, each of which has its own. */
  const authTest = once(async () =>
    access.kind === 'token' ? askSlack({ apiUrl, token: access.botToken }, 'auth.test') : undefined,
  );

  /** As in the app, the key in the settings only counts until the workspace has connected or disconnected one. */
  const keyInUse = once(async (): Promise<{ key: string } | KeyProblem> => {
    const answer = await authTest();
    const db = await basics.database().catch(() => undefined);
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

  return { ...basics, config, authTest, service, isKeyIgnored };
}

function once<Value>(ask: () => Promise<Value>): () => Promise<Value> {
  let answer: Promise<Value> | undefined;
  return () => {
    answer ??= ask();
    return answer;
  };
}

const SAME_MACHINE_TIMEOUT_MS = 3_000;

/** Asks the app that runs on this machine, without the proxy. */
export function askRunningApp(
  { host, port }: Config['server'],
  path: string,
  headers: Record<string, string> = {},
) {
  const isAny = host === '0.0.0.0' || host === '::';
  const url = new URL(path, `http://${isAny ? '127.0.0.1' : host}:${port}`);
  const options = { timeoutMs: SAME_MACHINE_TIMEOUT_MS };
  return httpFetch(url, { headers, agent: new Agent() }, options);
}
