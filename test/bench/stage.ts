import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MAIN_ENTRY } from '../fresh-bundle.ts';
import { type DesignService, startDesignService } from '../stand-ins/design-service/server.ts';
import { SIGNING_SECRET } from './load/deliveries.ts';
import { startLoadGenerator } from './load/load-generator.ts';
import { type Launch, startSubject } from './subjects/subject.ts';

/** The apps under measurement, and everything around them. */
export type Stage = Awaited<ReturnType<typeof openStage>>;

type AppOptions = { service: DesignService; name: string; env?: Record<string, string> };

const BARE_BOLT = fileURLToPath(new URL('./subjects/bare-bolt.mjs', import.meta.url));
/** The service's own limit would distort the measurements. */
const UNLIMITED = 1_000_000;
const ENCRYPTION_KEY_BYTES = 32;

export async function openStage() {
  const load = await startLoadGenerator();
  const folder = await mkdtemp(join(tmpdir(), 'design-request-bench-'));
  const closings: (() => Promise<unknown>)[] = [];
  const encryptionKeys = `k1:${randomBytes(ENCRYPTION_KEY_BYTES).toString('base64')}`;
  const forSlack = ['--signing-secret', SIGNING_SECRET, '--slack-api-url', load.slackApiUrl];
  return {
    load,
    folder,
    /** Another stand-in for the design service, with its own data and faults. */
    async openService() {
      const service = await startDesignService({ requestsPerMinute: UNLIMITED });
      closings.push(() => service.close());
      return service;
    },
    /** How the whole app is started, on its own database. */
    app: ({ service, name, env }: AppOptions): Launch => ({
      entry: MAIN_ENTRY,
      env: {
        SLACK_BOT_TOKEN: 'xoxb-whole-app',
        SLACK_API_URL: load.slackApiUrl,
        SLACK_SIGNING_SECRET: SIGNING_SECRET,
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
    /** How the bare Bolt app is started. @param answers whether it also calls Slack once per delivery */
    bareBolt: ({ answers } = { answers: false }): Launch => ({
      entry: BARE_BOLT,
      args: [...forSlack, ...(answers ? ['--answers'] : [])],
    }),
    /** Starts a subject, which is stopped at the end if it still runs. */
    async start(launch: Launch) {
      const subject = await startSubject(launch);
      closings.push(subject.stop);
      return subject;
    },
    async close() {
      for (const close of closings.reverse()) await close();
      load.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export const databasePath = (folder: string, name: string): string => join(folder, `${name}.db`);
