import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { type Database, openDatabase } from '../../src/store/database.ts';
import type { DatabaseLocation } from '../../src/store/database-location.ts';
import { PUBLIC_URL } from '../journeys/browser.ts';
import { freshDatabase } from '../postgres/fresh-database.ts';
import { asOneProcess, currentDeployment } from '../replicas/deployment.ts';
import { startRoundRobin } from '../replicas/round-robin.ts';
import { openStage } from '../sandbox/stage.ts';
import { encryptionKey, keyringSetting } from '../store/stores-under-test.ts';
import { type AppProcess, launchApp } from './app-process.ts';
import { chanceOf } from './random.ts';

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;

/** After the clocks moved, posting this link wakes the app's queue without reading a card. */
export const NO_CARD = 'https://app.example.com/brand/1';

/** The stand-ins with people in them, and the app's environment between them. */
export type Setting = Awaited<ReturnType<typeof openSetting>>;

type LaunchOptions = { entry?: string; env?: Record<string, string> };

export type SettingOptions = {
  transport?: 'http' | 'socket';
  /** How many members there are besides the admin; 8 by default. */
  people?: number;
  /** What the service allows a key; by default more than any row needs. */
  requestsPerMinute?: number;
  /** Many workspaces, each installing the app through OAuth; none has it at first. */
  many?: boolean;
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
  const setting = await openSetting(options);
  try {
    return await use(setting);
  } finally {
    await setting.close();
  }
}

async function openSetting(options: SettingOptions) {
  /** The stand-ins' clock; the app's own is moved by `AppProcess.setClockOffset`. */
  const clock = { offsetMs: 0, now: () => new Date(Date.now() + clock.offsetMs) };
  const { many = false, tokenRotation = false } = options;
  const deployment = currentDeployment();
  // Slack doesn't say for how long it accepts a used refresh token: a replica that takes over waits for a minute.
  const grace = deployment ? { refreshGraceMs: 2 * MINUTE_MS } : {};
  // Retries are sent when a row wants them, never automatically.
  const stage = await openStage({
    many,
    tokenRotation,
    slack: { clock: clock.now, retryDelaysMs: [], ...grace },
    service: {
      clock: clock.now,
      requestsPerMinute: options.requestsPerMinute ?? UNLIMITED,
      random: chanceOf(options.seed).next,
    },
  });
  const { slack, service, acme, ada: admin, general, cardUrl } = stage;
  /** Members who make requests. */
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
  /** That file, or the Postgres database if the app runs as several replicas. */
  const database: DatabaseLocation = postgres ? { url: postgres.url } : { path: databasePath };
  /** What the app is started with; a row may change it between two starts. */
  const env: Record<string, string> = {
    ...stage.environment(folder),
    ...(many ? {} : { DESIGN_API_KEY: service.apiKey }),
    ...(options.transport === 'socket' ? { SLACK_APP_TOKEN: slack.appToken } : {}),
    DATABASE_URL: postgres?.url ?? `sqlite:${databasePath}`,
    ENCRYPTION_KEYS: keyringSetting([encryptionKey('k1')]),
    PORT: String(port),
  };

  function launchOne({ entry, env: more }: LaunchOptions): AppProcess {
    const app = launchApp({ env: { ...env, ...more }, ...(entry ? { entry } : {}) });
    running.add(app);
    void app.ended.then(() => running.delete(app));
    return app;
  }

  /** Starts one more replica behind the load balancer; it gets requests once it is ready. */
  function addReplica(given: LaunchOptions = {}): AppProcess {
    const app = launchOne({ ...given, env: { PORT: '0', ...given.env } });
    app.ready.then(
      (url) => {
        balancer?.add(url);
        void app.ended.then(() => balancer?.remove(url));
      },
      () => undefined,
    );
    return app;
  }

  /** Starts the app without waiting for it; it is killed if it still runs at the end. */
  const launch = (given: LaunchOptions = {}): AppProcess =>
    deployment
      ? asOneProcess(Array.from({ length: deployment.replicas }, () => addReplica(given)))
      : launchOne(given);

  service.downloads.reach(PUBLIC_URL, `http://${LOOPBACK}:${port}`);
  if (options.transport !== 'socket') slack.connect(`http://${LOOPBACK}:${port}/slack/events`);
  return {
    slack,
    service,
    acme,
    admin,
    people,
    general,
    cardUrl,
    clock,
    env,
    database,
    launch,
    addReplica,
    async start(given?: LaunchOptions) {
      const app = launch(given);
      await app.ready;
      return app;
    },
    async close() {
      await Promise.all([...running].map((app) => app.kill()));
      await stage.close();
      await balancer?.close();
      await postgres?.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
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

/** How many jobs run or are due. As literals, since the indexes are for these states. */
export async function dueJobs(db: Database, now: Date): Promise<number> {
  const { due } = await db
    .selectFrom('jobs')
    .select(({ fn }) => fn.countAll().as('due'))
    .where(({ and, eb, or }) =>
      or([
        eb('state', '=', sql.lit('running')),
        and([eb('state', '=', sql.lit('ready')), eb('runAt', '<=', now)]),
      ]),
    )
    .executeTakeFirstOrThrow();
  return Number(due);
}

/** The app keeps its port across restarts, as a deployed one does. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + Math.floor(Math.random() * PORTS);
    const server = createServer().listen(port, LOOPBACK);
    const isFree = await once(server, 'listening').catch(() => undefined);
    server.close();
    if (isFree) return port;
  }
}
