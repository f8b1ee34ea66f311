import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase } from '../../src/store/database.ts';
import type { DatabaseLocation } from '../../src/store/database-location.ts';
import { PUBLIC_URL } from '../journeys/browser.ts';
import { freshDatabase } from '../postgres/fresh-database.ts';
import { asOneProcess, currentDeployment } from '../replicas/deployment.ts';
import { startRoundRobin } from '../replicas/round-robin.ts';
import { openStage } from '../sandbox/stage.ts';
import type { DesignService } from '../stand-ins/design-service/server.ts';
import type { Slack } from '../stand-ins/slack/server.ts';
import type { Channel, User } from '../stand-ins/slack/state/model.ts';
import type { Workspace } from '../stand-ins/slack/workspace.ts';
import { encryptionKey, keyringSetting } from '../store/stores-under-test.ts';
import { type AppProcess, launchApp } from './app-process.ts';
import { chanceOf } from './random.ts';

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;

/** After the clocks moved, posting this link wakes the app's queue without reading a card. */
export const NO_CARD = 'https://app.example.com/brand/1';

/** The stand-ins with people in them, and the app's environment between them. */
export type Setting = {
  slack: Slack;
  service: DesignService;
  acme: Workspace;
  admin: User;
  /** Members who make requests. */
  people: User[];
  general: Channel;
  /** What the app is started with; a row may change it between two starts. */
  env: Record<string, string>;
  folder: string;
  databasePath: string;
  /** That file, or the Postgres database if the app runs as several replicas. */
  database: DatabaseLocation;
  cardUrl(id: string): string;
  /** The stand-ins' clock; the app's own is moved by `AppProcess.setClockOffset`. */
  clock: { now(): Date; offsetMs: number };
  /** Starts the app without waiting for it; it is killed if it still runs at the end. */
  launch(options?: LaunchOptions): AppProcess;
  /** Starts the app and waits until it is ready. */
  start(options?: LaunchOptions): Promise<AppProcess>;
  /** Starts one more replica behind the load balancer; it gets requests once it is ready. */
  addReplica(options?: LaunchOptions): AppProcess;
};

type LaunchOptions = { entry?: string; env?: Record<string, string> };

export type SettingOptions = {
  transport?: 'http' | 'socket';
  /** How many members there are besides the admin; 8 by default. */
  people?: number;
  /** What the service allows a key; by default more than any row needs. */
  requestsPerMinute?: number;
  /** Many workspaces, each installing the app through OAuth; none has it at first. */
  many?: boolean;
  /** Whether Slack's tokens expire. */
  tokenRotation?: boolean;
  seed: number;
};

const LOOPBACK = '127.0.0.1';
const UNLIMITED = 1_000_000;
const MEMBERS = 8;
/** Below the ports that systems assign automatically, so that nobody gets ours while the app is down. */
const FIRST_PORT = 10_000;
const PORTS = 20_000;

/** Starts everything on loopback with a fresh database, passes it on, and cleans up. */
export async function withSetting<Result>(
  options: SettingOptions,
  use: (setting: Setting) => Promise<Result>,
): Promise<Result> {
  const clock = { offsetMs: 0, now: () => new Date(Date.now() + clock.offsetMs) };
  const { many = false, tokenRotation = false } = options;
  const deployment = currentDeployment();
  // Slack doesn't say for how long it accepts a used refresh token: a replica that takes over waits for a minute.
  const grace = deployment ? { refreshGraceMs: 2 * MINUTE_MS } : {};
  // Retries are sent when a row wants them, never automatically.
  const stage = await openStage({
    ...{ many, tokenRotation },
    slack: { clock: clock.now, retryDelaysMs: [], ...grace },
    service: {
      clock: clock.now,
      requestsPerMinute: options.requestsPerMinute ?? UNLIMITED,
      random: chanceOf(options.seed).next,
    },
  });
  const { slack, service, acme, ada: admin, general, cardUrl } = stage;
  const people = Array.from({ length: options.people ?? MEMBERS }, (_, index) =>
    acme.addUser({ name: `Member ${index + 1}` }),
  );
  for (const { id } of people) general.members.add(id);
  const folder = await mkdtemp(join(tmpdir(), 'design-request-faults-'));
  const databasePath = join(folder, 'app.db');
  const port = await freePort();
  const running = new Set<AppProcess>();
  const postgres = deployment && (await freshDatabase(deployment.postgres));
  const balancer = deployment && (await startRoundRobin(port));
  const database = postgres ? { url: postgres.url } : { path: databasePath };

  const setting: Setting = {
    ...{ slack, service, acme, admin, people, general, folder, databasePath, database, clock },
    env: {
      ...stage.environment(folder),
      ...(many ? {} : { DESIGN_API_KEY: service.apiKey }),
      ...(options.transport === 'socket' ? { SLACK_APP_TOKEN: slack.appToken } : {}),
      DATABASE_URL: postgres?.url ?? `sqlite:${databasePath}`,
      ENCRYPTION_KEYS: keyringSetting([encryptionKey('k1')]),
      PORT: String(port),
    },
    cardUrl,
    launch(options = {}) {
      if (!deployment) return launchOne(options);
      const replicas = Array.from({ length: deployment.replicas }, () =>
        setting.addReplica(options),
      );
      return asOneProcess(replicas);
    },
    addReplica(options = {}) {
      const app = launchOne({ ...options, env: { PORT: '0', ...options.env } });
      app.ready.then(
        (url) => {
          balancer?.add(url);
          void app.ended.then(() => balancer?.remove(url));
        },
        () => undefined,
      );
      return app;
    },
    async start(launching) {
      const app = setting.launch(launching);
      await app.ready;
      return app;
    },
  };
  function launchOne({ entry, env }: LaunchOptions): AppProcess {
    const app = launchApp({ env: { ...setting.env, ...env }, ...(entry ? { entry } : {}) });
    running.add(app);
    void app.ended.then(() => running.delete(app));
    return app;
  }
  service.downloads.reach(PUBLIC_URL, `http://${LOOPBACK}:${port}`);
  if (options.transport !== 'socket') slack.connect(`http://${LOOPBACK}:${port}/slack/events`);
  try {
    return await use(setting);
  } finally {
    await Promise.all([...running].map((app) => app.kill()));
    await stage.close();
    await balancer?.close();
    await postgres?.drop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Shifts the clocks of the app and both stand-ins from the real one, in ms. */
export async function moveClocks(setting: Setting, app: AppProcess, offsetMs: number) {
  setting.clock.offsetMs = offsetMs;
  await app.setClockOffset(offsetMs);
}

/** Opens a database beside other users of it, and closes it again. */
export async function withDatabase<Result>(
  location: DatabaseLocation,
  use: (db: Database) => Promise<Result>,
): Promise<Result> {
  const db = openDatabase(location);
  try {
    return await use(db);
  } finally {
    await db.destroy();
  }
}

/** The app keeps its port across restarts, as a deployed one does. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + Math.floor(Math.random() * PORTS);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, LOOPBACK);
  try {
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
