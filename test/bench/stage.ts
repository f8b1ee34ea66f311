import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MAIN_ENTRY } from '../fresh-bundle.ts';
import { type DesignService, startDesignService } from '../stand-ins/design-service/server.ts';
import { type LoadGenerator, startLoadGenerator } from './load/load-generator.ts';
import { type Launch, type Subject, startSubject } from './subjects/subject.ts';

/** The apps under measurement, and everything around them. */
export type Stage = {
  load: LoadGenerator;
  /** A temporary folder of this stage. */
  folder: string;
  /** Another stand-in for the design service, with its own data and faults. */
  openService(): Promise<DesignService>;
  /** How the whole app is started, on its own database. */
  app(options: { service: DesignService; name: string; env?: Record<string, string> }): Launch;
  /** How the bare Bolt app is started. @param answers whether it also calls Slack once per delivery */
  bareBolt(options?: { answers: boolean }): Launch;
  /** Starts a subject, which is stopped at the end if it still runs. */
  start(launch: Launch): Promise<Subject>;
};

const ENTRIES = {
  app: MAIN_ENTRY,
  bareBolt: fileURLToPath(new URL('./subjects/bare-bolt.mjs', import.meta.url)),
};
/** The service's own limit would distort the measurements. */
const UNLIMITED = 1_000_000;
const ENCRYPTION_KEY_BYTES = 32;

/** Starts everything on loopback, passes it on, and cleans up. */
export async function withStage<Result>(use: (stage: Stage) => Promise<Result>): Promise<Result> {
  const load = await startLoadGenerator();
  const folder = await mkdtemp(join(tmpdir(), 'design-request-bench-'));
  const closings: (() => Promise<unknown>)[] = [];
  const encryptionKeys = `k1:${randomBytes(ENCRYPTION_KEY_BYTES).toString('base64')}`;
  const forSlack = ['--signing-secret', load.signingSecret, '--slack-api-url', load.slackApiUrl];

  const stage: Stage = {
    load,
    folder,
    async openService() {
      const service = await startDesignService({ requestsPerMinute: UNLIMITED });
      closings.push(() => service.close());
      return service;
    },
    app: ({ service, name, env }) => ({
      entry: ENTRIES.app,
      env: {
        SLACK_BOT_TOKEN: 'xoxb-whole-app',
        SLACK_API_URL: load.slackApiUrl,
        SLACK_SIGNING_SECRET: load.signingSecret,
        DESIGN_API_BASE_URL: service.url,
        DESIGN_API_KEY: service.apiKey,
        CARD_URL_TEMPLATE: 'https://app.example.com/card/{id}',
        DATABASE_URL: `sqlite:${databasePath(folder, name)}`,
        ENCRYPTION_KEYS: encryptionKeys,
        HOST: '127.0.0.1',
        PORT: '0',
        ...env,
      },
    }),
    bareBolt: ({ answers } = { answers: false }) => ({
      entry: ENTRIES.bareBolt,
      args: [...forSlack, ...(answers ? ['--answers'] : [])],
    }),
    async start(launch) {
      const subject = await startSubject(launch);
      closings.push(subject.stop);
      return subject;
    },
  };
  try {
    return await use(stage);
  } finally {
    for (const close of closings.reverse()) await close();
    load.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The database path of the app with that name. */
export const databasePath = (folder: string, name: string): string => join(folder, `${name}.db`);
