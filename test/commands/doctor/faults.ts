import { randomBytes } from 'node:crypto';
import { chmod, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseConfig } from '../../../src/config/config.ts';
import { workspaceIdOf } from '../../../src/installations/workspace-id.ts';
import { fingerprintOf } from '../../../src/store/api-keys.ts';
import { createStores } from '../../../src/store/stores.ts';
import { freePort } from '../../free-port.ts';
import { signedRequest } from '../../stand-ins/slack/signing.ts';
import { openForTest } from '../../store/sqlite-files.ts';
import { encryptionKey } from '../../store/stores-under-test.ts';
import { answering, type Patient, startAppOf } from './examined.ts';

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

const fault =
  (result: Fault['result']) =>
  (check: string, what: string, cause: Fault['cause']): Fault => ({ check, what, result, cause });
const failed = fault('failed');
const warning = fault('warning');

const set =
  (changes: Patient['env']) =>
  ({ env }: Patient) =>
    void Object.assign(env, changes);

/** Each fault that a check finds, as it is made for a test. */
export const FAULTS: readonly Fault[] = [
  failed('settings', 'a setting is missing', ({ env }) => void delete env.CARD_URL_TEMPLATE),
  warning('secret-length', 'a short `METRICS_TOKEN`', set({ METRICS_TOKEN: 'x'.repeat(31) })),
  warning(
    'proxy',
    '`HTTPS_PROXY` without `NODE_USE_ENV_PROXY`',
    set({ HTTPS_PROXY: 'http://proxy.example.com:3128' }),
  ),
  warning('private-files', '`.env` has mode 0644', ({ envFile }) => chmod(envFile, 0o644)),
  failed('database-reachable', 'the file is no database', (patient) =>
    writeFile(databaseOf(patient), 'no database at all, but text'.repeat(99)),
  ),
  failed('database-reachable', 'it was moved to Postgres', (patient) =>
    rename(databaseOf(patient), `${databaseOf(patient)}.moved-2026-11-25T08-00-00.000Z`),
  ),
  failed(
    'database-writable',
    'a file is where the folder should be',
    set({ DATABASE_URL: 'sqlite:/dev/null/app.db' }),
  ),
  warning('database-migrated', 'an empty file', (patient) => writeFile(databaseOf(patient), '')),
  failed('database-migrated', 'a database of version 0.2.0', (patient) => {
    const db = new DatabaseSync(databaseOf(patient));
    db.exec("update kysely_migration set name = '0001-first-tables'");
    db.close();
  }),
  warning('durable-disk', 'SQLite on a dyno', set({ DYNO: 'web.1' })),
  failed('keyring', 'an API key was encrypted with a key that is gone', async (patient) => {
    const stores = createStores(openForTest(databaseOf(patient)), [encryptionKey('old')]);
    const owner = workspaceIdOf(patient.stage.acme.id);
    await stores.keys.save(owner, patient.stage.service.apiKey, undefined, new Date());
  }),
  failed(
    'keyring',
    'another key has the ID of the one that encrypted an API key',
    async (patient) => {
      await connectOtherKey(patient);
      patient.env.ENCRYPTION_KEYS = `k1:${randomBytes(32).toString('base64')}`;
    },
  ),
  failed(
    'running-app',
    'another program has the port',
    async ({ env }) => void Object.assign(env, { PORT: String(await answering(200)) }),
  ),
  failed(
    'slack-token',
    'a token that was copied wrongly',
    set({ SLACK_BOT_TOKEN: 'xoxb-copied-wrongly' }),
  ),
  failed('slack-token', 'Slack can’t be reached', ({ stage }) => stage.slack.close()),
  failed(
    'slack-scopes',
    'the app was installed before it needed a scope',
    ({ stage: { slack, acme } }) => {
      const token = slack.state.tokens.get(acme.botToken);
      if (token) token.scopes = token.scopes.filter((scope) => scope !== 'groups:read');
    },
  ),
  failed('clock', 'the clock is ten minutes fast', (patient) => {
    patient.now = () => new Date(Date.now() + 600_000);
  }),
  failed(
    'app-token',
    'an app-level token that was revoked',
    set({ SLACK_APP_TOKEN: 'xapp-1-revoked' }),
  ),
  failed(
    'unfurl-domains',
    'the card links are on an IP address',
    ({ env }) => void Object.assign(env, { CARD_URL_TEMPLATE: 'https://192.0.2.7/{id}' }),
  ),
  failed('public-address', 'nothing listens at `PUBLIC_URL`', () => undefined),
  failed('refused-deliveries', 'a wrong `SLACK_SIGNING_SECRET`', async (patient) => {
    patient.env.SLACK_SIGNING_SECRET = randomBytes(16).toString('hex');
    await startAppOf(patient);
    const { slack } = patient.stage;
    const { headers } = signedRequest(slack.signingSecret, '{}', new Date(), 'application/json');
    const url = `http://127.0.0.1:${patient.env.PORT}/slack/events`;
    await fetch(url, { method: 'POST', headers, body: '{}' });
  }),
  failed('public-address', 'the app runs with another signing secret', (patient) =>
    startAppOf(patient, { SLACK_SIGNING_SECRET: randomBytes(16).toString('hex') }),
  ),
  failed(
    'public-address',
    'a proxy answers instead of the app',
    async ({ env }) =>
      void Object.assign(env, { PUBLIC_URL: `http://127.0.0.1:${await answering(502)}` }),
  ),
  failed(
    'service-reachable',
    'a wrong port in `DESIGN_API_BASE_URL`',
    async ({ env }) =>
      void Object.assign(env, { DESIGN_API_BASE_URL: `http://127.0.0.1:${await freePort()}` }),
  ),
  failed('service-reachable', '`DESIGN_API_BASE_URL` redirects', ({ env }) =>
    serviceAnswers(env, 302, { location: 'https://login.example.com/start?key=secret' }),
  ),
  failed('service-reachable', '`DESIGN_API_BASE_URL` leads to a web page', ({ env }) =>
    serviceAnswers(env, 200, { 'content-type': 'text/html; charset=utf-8' }),
  ),
  failed('service-reachable', '`DESIGN_API_BASE_URL` lacks its path', ({ env }) =>
    serviceAnswers(env, 404, {}, '{"statusCode":404,"message":"Not Found"}'),
  ),
  failed('service-reachable', 'a proxy asks for a login in place of the service', ({ env }) =>
    serviceAnswers(env, 401, {}, 'Authorization required'),
  ),
  failed('service-key', 'the key was revoked', ({ stage: { service } }) =>
    service.revokeKey(service.apiKey),
  ),
  warning('service-key', 'no key is connected', ({ env }) => void delete env.DESIGN_API_KEY),
  failed(
    'service-key',
    'a connected key was refused, and only `DESIGN_API_KEY` is newer',
    async (patient) => {
      const { keys, workspaceId, connected } = await connectOtherKey(patient);
      await keys.markRejected(workspaceId, fingerprintOf(connected), new Date());
    },
  ),
  warning('service-key', '`DESIGN_API_KEY` was changed', async (patient) => {
    const { keys, workspaceId } = await connectOtherKey(patient);
    await keys.save(workspaceId, patient.stage.service.apiKey, undefined, new Date());
    patient.env.DESIGN_API_KEY = 'dsk_of-a-later-time-0123';
  }),
  warning('service-key', 'the key was disconnected', async (patient) => {
    const { keys, workspaceId } = await connectOtherKey(patient);
    await keys.disconnect(workspaceId, new Date());
  }),
  failed(
    'service-key',
    'the connected key was encrypted with another key of the same ID',
    async (patient) => {
      await connectOtherKey(patient);
      patient.env.ENCRYPTION_KEYS = `k1:${randomBytes(32).toString('base64')}`;
    },
  ),
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
