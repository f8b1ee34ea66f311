import { randomBytes } from 'node:crypto';
import { chmod, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseConfig } from '../../../src/config/config.ts';
import { workspaceIdOf } from '../../../src/installations/workspace-id.ts';
import { fingerprintOf } from '../../../src/store/api-keys.ts';
import { createStores } from '../../../src/store/stores.ts';
import { signedRequest } from '../../stand-ins/slack/signing.ts';
import { openForTest } from '../../store/sqlite-files.ts';
import { encryptionKey } from '../../store/stores-under-test.ts';
import { answering, freePort, type Patient, startAppOf } from './examined.ts';

type Fault = {
  check: string;
  /** As in findings.txt. */
  what: string;
  result: 'failed' | 'warning';
  cause: (patient: Patient) => void | Promise<void>;
};

const databaseOf = ({ folder }: Pick<Patient, 'folder'>) => join(folder, 'design-request.db');

async function serviceAnswers(
  env: Patient['env'],
  status: number,
  headers: Record<string, string>,
  body?: string,
) {
  env.DESIGN_API_BASE_URL = `http://127.0.0.1:${await answering(status, headers, body)}`;
}

/** Each fault that a check finds, as it is made for a test. */
export const FAULTS: readonly Fault[] = [
  {
    check: 'settings',
    what: 'a setting is missing',
    result: 'failed',
    cause: ({ env }) => void delete env.CARD_URL_TEMPLATE,
  },
  {
    check: 'secret-length',
    what: 'a short `METRICS_TOKEN`',
    result: 'warning',
    cause: ({ env }) => void Object.assign(env, { METRICS_TOKEN: 'x'.repeat(31) }),
  },
  {
    check: 'proxy',
    what: '`HTTPS_PROXY` without `NODE_USE_ENV_PROXY`',
    result: 'warning',
    cause: ({ env }) => void Object.assign(env, { HTTPS_PROXY: 'http://proxy.example.com:3128' }),
  },
  {
    check: 'private-files',
    what: '`.env` has mode 0644',
    result: 'warning',
    cause: ({ envFile }) => chmod(envFile, 0o644),
  },
  {
    check: 'database-reachable',
    what: 'the file is no database',
    result: 'failed',
    cause: (patient) => writeFile(databaseOf(patient), 'no database at all, but text'.repeat(99)),
  },
  {
    check: 'database-reachable',
    what: 'it was moved to Postgres',
    result: 'failed',
    cause: (patient) =>
      rename(databaseOf(patient), `${databaseOf(patient)}.moved-2026-11-25T08-00-00.000Z`),
  },
  {
    check: 'database-writable',
    what: 'a file is where the folder should be',
    result: 'failed',
    cause: ({ env }) => void Object.assign(env, { DATABASE_URL: 'sqlite:/dev/null/app.db' }),
  },
  {
    check: 'database-migrated',
    what: 'an empty file',
    result: 'warning',
    cause: (patient) => writeFile(databaseOf(patient), ''),
  },
  {
    check: 'database-migrated',
    what: 'a database of version 0.2.0',
    result: 'failed',
    cause: (patient) => {
      const db = new DatabaseSync(databaseOf(patient));
      db.exec("update kysely_migration set name = '0001-first-tables'");
      db.close();
    },
  },
  {
    check: 'durable-disk',
    what: 'SQLite on a dyno',
    result: 'warning',
    cause: ({ env }) => void Object.assign(env, { DYNO: 'web.1' }),
  },
  {
    check: 'keyring',
    what: 'an API key was encrypted with a key that is gone',
    result: 'failed',
    cause: async (patient) => {
      const stores = createStores(openForTest(databaseOf(patient)), [encryptionKey('old')]);
      const owner = workspaceIdOf(patient.stage.acme.id);
      await stores.keys.save(owner, patient.stage.service.apiKey, undefined, new Date());
    },
  },
  {
    check: 'keyring',
    what: 'another key has the ID of the one that encrypted an API key',
    result: 'failed',
    cause: async (patient) => {
      await connectOtherKey(patient);
      patient.env.ENCRYPTION_KEYS = `k1:${randomBytes(32).toString('base64')}`;
    },
  },
  {
    check: 'running-app',
    what: 'another program has the port',
    result: 'failed',
    cause: async ({ env }) => void Object.assign(env, { PORT: String(await answering(200)) }),
  },
  {
    check: 'slack-token',
    what: 'a token that was copied wrongly',
    result: 'failed',
    cause: ({ env }) => void Object.assign(env, { SLACK_BOT_TOKEN: 'xoxb-copied-wrongly' }),
  },
  {
    check: 'slack-token',
    what: 'Slack can’t be reached',
    result: 'failed',
    cause: ({ stage }) => stage.slack.close(),
  },
  {
    check: 'slack-scopes',
    what: 'the app was installed before it needed a scope',
    result: 'failed',
    cause: ({ stage: { slack, acme } }) => {
      const token = slack.state.tokens.get(acme.botToken);
      if (token) token.scopes = token.scopes.filter((scope) => scope !== 'groups:read');
    },
  },
  {
    check: 'clock',
    what: 'the clock is ten minutes fast',
    result: 'failed',
    cause: (patient) => {
      patient.now = () => new Date(Date.now() + 600_000);
    },
  },
  {
    check: 'app-token',
    what: 'an app-level token that was revoked',
    result: 'failed',
    cause: ({ env }) => void Object.assign(env, { SLACK_APP_TOKEN: 'xapp-1-revoked' }),
  },
  {
    check: 'unfurl-domains',
    what: 'the card links are on an IP address',
    result: 'failed',
    cause: ({ env }) => void Object.assign(env, { CARD_URL_TEMPLATE: 'https://192.0.2.7/{id}' }),
  },
  {
    check: 'public-address',
    what: 'nothing listens at `PUBLIC_URL`',
    result: 'failed',
    cause: () => undefined,
  },
  {
    check: 'refused-deliveries',
    what: 'a wrong `SLACK_SIGNING_SECRET`',
    result: 'failed',
    cause: async (patient) => {
      patient.env.SLACK_SIGNING_SECRET = randomBytes(16).toString('hex');
      await startAppOf(patient);
      const { slack } = patient.stage;
      const { headers } = signedRequest(slack.signingSecret, '{}', new Date(), 'application/json');
      const url = `http://127.0.0.1:${patient.env.PORT}/slack/events`;
      await fetch(url, { method: 'POST', headers, body: '{}' });
    },
  },
  {
    check: 'public-address',
    what: 'the app runs with another signing secret',
    result: 'failed',
    cause: (patient) =>
      startAppOf(patient, { SLACK_SIGNING_SECRET: randomBytes(16).toString('hex') }),
  },
  {
    check: 'public-address',
    what: 'a proxy answers instead of the app',
    result: 'failed',
    cause: async ({ env }) =>
      void Object.assign(env, { PUBLIC_URL: `http://127.0.0.1:${await answering(502)}` }),
  },
  {
    check: 'service-reachable',
    what: 'a wrong port in `DESIGN_API_BASE_URL`',
    result: 'failed',
    cause: async ({ env }) =>
      void Object.assign(env, { DESIGN_API_BASE_URL: `http://127.0.0.1:${await freePort()}` }),
  },
  {
    check: 'service-reachable',
    what: '`DESIGN_API_BASE_URL` redirects',
    result: 'failed',
    cause: ({ env }) =>
      serviceAnswers(env, 302, { location: 'https://login.example.com/start?key=secret' }),
  },
  {
    check: 'service-reachable',
    what: '`DESIGN_API_BASE_URL` leads to a web page',
    result: 'failed',
    cause: ({ env }) => serviceAnswers(env, 200, { 'content-type': 'text/html; charset=utf-8' }),
  },
  {
    check: 'service-reachable',
    what: '`DESIGN_API_BASE_URL` lacks its path',
    result: 'failed',
    cause: ({ env }) => serviceAnswers(env, 404, {}, '{"statusCode":404,"message":"Not Found"}'),
  },
  {
    check: 'service-reachable',
    what: 'a proxy asks for a login in place of the service',
    result: 'failed',
    cause: ({ env }) => serviceAnswers(env, 401, {}, 'Authorization required'),
  },
  {
    check: 'service-key',
    what: 'the key was revoked',
    result: 'failed',
    cause: ({ stage: { service } }) => service.revokeKey(service.apiKey),
  },
  {
    check: 'service-key',
    what: 'no key is connected',
    result: 'warning',
    cause: ({ env }) => void delete env.DESIGN_API_KEY,
  },
  {
    check: 'service-key',
    what: 'a connected key was refused, and only `DESIGN_API_KEY` is newer',
    result: 'failed',
    cause: async (patient) => {
      const { keys, workspaceId, connected } = await connectOtherKey(patient);
      await keys.markRejected(workspaceId, fingerprintOf(connected), new Date());
    },
  },
  {
    check: 'service-key',
    what: '`DESIGN_API_KEY` was changed',
    result: 'warning',
    cause: async (patient) => {
      const { keys, workspaceId } = await connectOtherKey(patient);
      await keys.save(workspaceId, patient.stage.service.apiKey, undefined, new Date());
      patient.env.DESIGN_API_KEY = 'dsk_of-a-later-time-0123';
    },
  },
  {
    check: 'service-key',
    what: 'the key was disconnected',
    result: 'warning',
    cause: async (patient) => {
      const { keys, workspaceId } = await connectOtherKey(patient);
      await keys.disconnect(workspaceId, new Date());
    },
  },
  {
    check: 'service-key',
    what: 'the connected key was encrypted with another key of the same ID',
    result: 'failed',
    cause: async (patient) => {
      await connectOtherKey(patient);
      patient.env.ENCRYPTION_KEYS = `k1:${randomBytes(32).toString('base64')}`;
    },
  },
];

/** An admin has connected another key than the one in the settings, which the service would accept. */
async function connectOtherKey({ stage, env, folder }: Patient) {
  const { encryptionKeys } = parseConfig(env);
  const { keys } = createStores(openForTest(databaseOf({ folder })), encryptionKeys);
  const workspaceId = workspaceIdOf(stage.acme.id);
  const connected = 'dsk_of-an-earlier-time-0123';
  await keys.save(workspaceId, connected, undefined, new Date());
  return { keys, workspaceId, connected };
}
