import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { type App, startApp } from '../../src/app.ts';
import { type Config, parseConfig } from '../../src/config/config.ts';
import { createLog } from '../../src/ops/logging.ts';
import { openDatabase } from '../../src/store/database.ts';
import { databaseForTest } from '../postgres/database-for-test.ts';
import { withFewConnections } from '../postgres/few-connections.ts';
import { type DesignService, startDesignService } from '../stand-ins/design-service/server.ts';
import type { Person } from '../stand-ins/slack/people/person.ts';
import { type Slack, startSlack } from '../stand-ins/slack/server.ts';
import type { Channel, User } from '../stand-ins/slack/state/model.ts';
import type { Workspace } from '../stand-ins/slack/workspace.ts';
import { makeMigratedFile } from '../store/migrated-file.ts';
import { PUBLIC_URL } from './browser.ts';
import { listsRead } from './lists-read.ts';
import { secretsFound } from './secrets.ts';
import { flawsOf } from './shown.ts';

export type Transport = 'http' | 'socket';

/** The app between its stand-ins, with people in a workspace. */
export type World = {
  /** Itself, so that a test can name it beside its parts. */
  world: World;
  app: App;
  slack: Slack;
  service: DesignService;
  acme: Workspace;
  admin: User;
  ann: User;
  /** The admin and Ann, as they use Slack. */
  ada: Person;
  me: Person;
  general: Channel;
  /** Every line the app logged. */
  logLines: string[];
  /** The URL of a card, as the app makes it. */
  cardUrl(id: string): string;
  /**
   * Stops the app and starts it again on the same database.
   *
   * @param options.listsKept whether the reference lists were read lately; by default they are read again
   */
  restart(options?: { listsKept: boolean }): Promise<void>;
  /** The folder of the app's database, if it is a file. */
  folder: string;
  config: Config;
};

export type WorldOptions = {
  transport?: Transport;
  /** Whether a key is connected from the start. */
  connected?: boolean;
  /** The key of the design service; random by default. */
  apiKey?: string;
  env?: Record<string, string>;
  ackUpdateDelayMs?: number;
  retryDelaysMs?: number[];
  seed?: 'demo' | 'empty';
  /** Many workspaces, each of which installs the app through OAuth, Acme too; none has it at first. */
  many?: boolean;
  /** Whether the app's manifest enables the Messages tab, which is the default. */
  messagesTab?: boolean;
  /** Whether Slack's tokens expire. */
  tokenRotation?: boolean;
  /** The clock of the app and of Slack. */
  now?: () => Date;
  /** The clock of the app and of both stand-ins. */
  clock?: () => Date;
};

const manifest = z
  .looseObject({
    features: z.looseObject({ app_home: z.looseObject({}) }),
    settings: z.looseObject({}),
  })
  .parse(parse(readFileSync(new URL('../../manifest.yml', import.meta.url), 'utf8')));

/** A fresh database: on Postgres in the tests of that project, otherwise a file. */
async function databaseUrl(folder: string): Promise<string> {
  if (inject('postgresServer')) return databaseForTest({ isMigrated: true });
  const path = join(folder, 'app.db');
  await makeMigratedFile(path);
  return `sqlite:${path}`;
}

/** Starts everything on free ports and a fresh database, until the end of the test. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const { transport = 'http', many = false, connected = !many } = options;
  const { clock, now = clock } = options;
  const slack = await startSlack({
    manifest: {
      ...manifest,
      features: {
        ...manifest.features,
        app_home: {
          ...manifest.features.app_home,
          messages_tab_enabled: options.messagesTab ?? true,
        },
      },
      settings: { ...manifest.settings, token_rotation_enabled: options.tokenRotation ?? false },
    },
    retryDelaysMs: options.retryDelaysMs ?? [0, 50, 100],
    ackUpdateDelayMs: options.ackUpdateDelayMs ?? 0,
    // Slack's three seconds are for test/faults: here a busy machine may take longer.
    ackTimeoutMs: 20_000,
    ...(now ? { clock: now } : {}),
  });
  const service = await startDesignService({
    seed: options.seed ?? 'demo',
    ...(options.apiKey === undefined ? {} : { apiKey: options.apiKey }),
    ...(clock ? { clock } : {}),
  });
  const acme = slack.addWorkspace({ name: 'Acme', installed: !many });
  const admin = acme.addUser({ name: 'Ada Admin', admin: true });
  const ann = acme.addUser({ name: 'Ann' });
  const general = acme.addChannel({ name: 'general', members: [admin, ann] });

  const folder = await mkdtemp(join(tmpdir(), 'design-request-'));
  const logLines: string[] = [];
  const config = parseConfig({
    ...(many
      ? {
          SLACK_CLIENT_ID: slack.clientId,
          SLACK_CLIENT_SECRET: slack.clientSecret,
          SLACK_AUTHORIZE_URL: slack.authorizeUrl,
        }
      : { SLACK_BOT_TOKEN: acme.botToken }),
    PUBLIC_URL,
    SLACK_API_URL: slack.apiUrl,
    ...(transport === 'socket'
      ? { SLACK_APP_TOKEN: slack.appToken }
      : { SLACK_SIGNING_SECRET: slack.signingSecret }),
    DESIGN_API_BASE_URL: service.url,
    ...(connected ? { DESIGN_API_KEY: service.apiKey } : {}),
    CARD_URL_TEMPLATE: 'https://app.example.com/card/{id}',
    DATABASE_URL: await databaseUrl(folder),
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'debug',
    ...options.env,
  });
  const log = createLog({
    level: config.logLevel,
    destination: { write: (line: string) => void logLines.push(line) },
  });
  const run = async () => {
    const app = await startApp(config, {
      log,
      leaveRotationMs: 0,
      wrapDialect: withFewConnections,
      ...(now ? { now } : {}),
    });
    service.downloads.reach(PUBLIC_URL, app.url);
    slack.reach(PUBLIC_URL, app.url);
    if (transport === 'http') slack.connect(`${app.url}/slack/events`);
    return app;
  };
  const world: World = {
    get world() {
      return world;
    },
    app: await run(),
    slack,
    service,
    acme,
    admin,
    ann,
    ada: acme.as(admin),
    me: acme.as(ann),
    general,
    logLines,
    folder,
    config,
    cardUrl: (id) => `https://app.example.com/card/${id}`,
    async restart({ listsKept } = { listsKept: false }) {
      await world.app.stop();
      if (!listsKept) await forgetLists(config);
      world.app = await run();
    },
  };
  onTestFinished(async () => {
    await world.app.stop();
    await slack.close();
    await service.close();
    const found = await secretsFound(world);
    await rm(folder, { recursive: true, force: true });
    expect(flawsOf(slack)).toEqual([]);
    expect(found).toEqual([]);
  });
  // What the app reads unprompted must not come between what a test does and what it expects.
  if (connected) await listsRead(world);
  return world;
}

/** A test in a world of its own. */
export const it = test
  .extend('world', () => startWorld())
  .extend('acme', ({ world }) => world.acme)
  .extend('admin', ({ world }) => world.admin)
  .extend('ann', ({ world }) => world.ann)
  .extend('general', ({ world }) => world.general)
  .extend('service', ({ world }) => world.service)
  .extend('slack', ({ world }) => world.slack)
  .extend('ada', ({ world }) => world.ada)
  .extend('me', ({ world }) => world.me)
  .extend('cardUrl', ({ world }) => world.cardUrl)
  .extend('logLines', ({ world }) => world.logLines);

async function forgetLists({ database }: Config): Promise<void> {
  const db = openDatabase(database);
  await db.deleteFrom('entries').where('kind', 'in', ['request_types', 'brands', 'tags']).execute();
  await db.destroy();
}

/** The app and both stand-ins share a clock that can be moved ahead. */
export async function worldAhead(options: WorldOptions = {}) {
  let ahead = 0;
  const clock = () => new Date(Date.now() + ahead);
  const world = await startWorld({ ...options, clock });
  return {
    ...world,
    pass(ms: number) {
      ahead += ms;
    },
  };
}
