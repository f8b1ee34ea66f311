import { existsSync } from 'node:fs';
import { Agent } from 'node:http';
import { type Config, parseConfig } from '../../config/config.ts';
import { ConfigError } from '../../config/config-error.ts';
import { databaseIn } from '../../config/settings.ts';
import { workspaceIdOf } from '../../installations/workspace-id.ts';
import { httpFetch } from '../../outgoing.ts';
import { type Database, openDatabase } from '../../store/database.ts';
import { type DatabaseLocation, isPostgres } from '../../store/database-location.ts';
import { refuseBesideSetAside } from '../../store/sqlite/path.ts';
import { createStores } from '../../store/stores.ts';
import { askSlack, type SlackAnswer } from '../ask-slack.ts';

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

/** A check can't be made; the message says why. */
export class SkippedError extends Error {}

export type Check = {
  name: string;
  /** What holds if the check passes. */
  about: string;
  /** Whether it is cheap enough to run at each start, too. */
  atStart?: true;
  /** Only reads. */
  run(context: CheckContext): Finding | Promise<Finding>;
  /** Changes something, with `--fix`. @returns what it did */
  repair?(context: CheckContext): Promise<string>;
};

export type CheckContext = ReturnType<typeof createContext>;

export type KeyProblem = 'none' | 'rejected' | 'disconnected' | 'unreadable';

/**
 * What checks use. A check that lacks something is skipped. Answers are kept, so that nothing is asked
 * twice. Close the context after the last check.
 */
export function createContext(given: {
  env: Record<string, string | undefined>;
  /** Need not exist. */
  envFile: string;
  now: () => Date;
}) {
  const opened = new AsyncDisposableStack();
  const settings = settingsIn(given.env);
  const context = {
    ...given,
    settings,
    get config(): Config {
      if (settings instanceof ConfigError) throw new SkippedError('correct the settings first');
      return settings;
    },

    get location(): DatabaseLocation {
      const location = databaseIn(given.env);
      if (!location) throw new SkippedError('correct DATABASE_URL first');
      return location;
    },

    /** Undefined for an SQLite file that doesn't exist yet. Never creates or changes it. */
    openDatabase: once(async (): Promise<Database | undefined> => {
      const { location } = context;
      // Opening creates a file that doesn't exist.
      if (!isPostgres(location) && !existsSync(location.path)) {
        refuseBesideSetAside(location.path);
        return undefined;
      }
      return opened.adopt(openDatabase(location), (db) => db.destroy());
    }),

    async database(): Promise<Database> {
      const db = await context.openDatabase().catch(() => undefined);
      if (db) return db;
      throw new SkippedError("there is no database yet, or it can't be opened");
    },

    /** With the bot token; undefined with many workspaces, each of which has its own. */
    authTest: once(async (): Promise<SlackAnswer | undefined> => {
      const { apiUrl, access } = context.config.slack;
      return access.kind === 'token'
        ? askSlack({ apiUrl, token: access.botToken }, 'auth.test')
        : undefined;
    }),

    /** As in the app, the key in the settings only counts until the workspace has connected or disconnected one. */
    keyInUse: once(async (): Promise<{ key: string } | KeyProblem> => {
      const { encryptionKeys, designApi } = context.config;
      const answer = await context.authTest();
      const db = await context.openDatabase().catch(() => undefined);
      const ofSettings = designApi.apiKey === undefined ? 'none' : { key: designApi.apiKey };
      if (answer?.kind !== 'answer' || !answer.body.team_id || !db) return ofSettings;
      const { keys } = createStores(db, encryptionKeys);
      const workspaceId = workspaceIdOf(String(answer.body.team_id));
      const stored = await keys.describe(workspaceId).catch(() => undefined);
      if (stored === undefined) return ofSettings;
      if (stored.state !== 'active') return stored.state;
      return (await keys.open(workspaceId).catch(() => undefined)) ?? 'unreadable';
    }),

    close: () => opened.disposeAsync(),
  };
  return context;
}

function settingsIn(env: Record<string, string | undefined>): Config | ConfigError {
  try {
    return parseConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
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
