import { existsSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { App } from '@slack/bolt';
import { onTestFinished } from 'vitest';
import { asWorkspace, type WorkspaceId } from '../../../src/installations/workspace-id.ts';
import { createJobQueue } from '../../../src/jobs/queue.ts';
import { createJobRunner } from '../../../src/jobs/runner.ts';
import { createHttpServer, type HttpTimeouts } from '../../../src/ops/http-server.ts';
import { createLog } from '../../../src/ops/logging.ts';
import { slackEventsRoute } from '../../../src/slack/intake/http.ts';
import { createIntake, type Intake } from '../../../src/slack/intake/intake.ts';
import { SLACK_JOBS } from '../../../src/slack/surface/jobs.ts';
import type { Workspaces } from '../../../src/slack/workspaces/workspaces.ts';
import type { Database } from '../../../src/store/database.ts';
import { createJobStore } from '../../../src/store/jobs.ts';
import { signatureOf } from '../../stand-ins/slack/signing.ts';
import { makeMigratedFile } from '../../store/migrated-file.ts';
import { openForTest, temporaryFolder } from '../../store/sqlite-files.ts';
import { at } from '../../store/stores-under-test.ts';

export const SECRET = 'the-signing-secret';
export const FORM_TYPE = 'application/x-www-form-urlencoded';

type Answer = { status: number | undefined; headers: IncomingHttpHeaders; body: string };

export type IntakeUnderTest = {
  url: string;
  intake: Intake;
  db: Database;
  /** The database's folder. */
  folder: string;
  log: string[];
  /** POSTs bytes with these headers; an array sends a header several times. */
  post(body: string | Buffer, headers: Record<string, string | string[]>): Promise<Answer>;
  /** POSTs with the signature that Slack would make at the clock's time. */
  send(body: string | Buffer, contentType?: string): Promise<Answer>;
  sendJson(body: unknown): Promise<Answer>;
  /** The kinds and states of all stored jobs. */
  stored(): Promise<string[]>;
};

/** The headers of a request that Slack signed at that time. */
export function signed(body: string | Buffer, moment = at(0), contentType = 'application/json') {
  const timestamp = String(Math.floor(moment.getTime() / 1000));
  return {
    'content-type': contentType,
    'x-slack-request-timestamp': timestamp,
    'x-slack-signature': signatureOf(SECRET, timestamp, body),
  };
}

/** The app is installed everywhere. */
const admitAll: Workspaces['admit'] = async ({ workspaceId, organizationId }) =>
  workspaceId ?? (organizationId && asWorkspace(organizationId));

/** The intake over real HTTP and a real database, before a Bolt app with these handlers. Its clock stands still. */
export async function startIntake(
  register: (bolt: App) => void = () => undefined,
  options: {
    folder?: string;
    timeouts?: Partial<HttpTimeouts>;
    admit?: Workspaces['admit'];
    deleteIfUninstalled?: (workspaceId: WorkspaceId) => Promise<void>;
  } = {},
): Promise<IntakeUnderTest> {
  const lines: string[] = [];
  const log = createLog({
    level: 'debug',
    destination: { write: (line) => void lines.push(line) },
  });
  const now = () => at(0);
  const folder = options.folder ?? (await temporaryFolder());
  const path = `${folder}/app.db`;
  if (!existsSync(path)) await makeMigratedFile(path);
  const db = openForTest(path);

  const receiver = { init: () => undefined, start: async () => {}, stop: async () => {} };
  const authorize = async () => ({ botToken: 'xoxb-1', botId: 'B1', botUserId: 'U0' });
  const bolt = new App({ receiver, authorize, tokenVerificationEnabled: false });
  bolt.error(async (error) => {
    throw 'original' in error && error.original instanceof Error ? error.original : error;
  });
  register(bolt);

  const jobs = createJobStore(db);
  const intake = createIntake({
    bolt,
    queue: createJobQueue({ jobs, accepts: async () => true, now }),
    admit: options.admit ?? admitAll,
    deleteIfUninstalled: options.deleteIfUninstalled ?? (async () => undefined),
    metrics: { delivered: () => undefined },
    now,
    log,
  });
  const runner = createJobRunner({
    jobs,
    handlers: { [SLACK_JOBS.event]: intake.runStoredEvent },
    now,
    log,
  });
  await runner.start();
  const server = createHttpServer({
    host: '127.0.0.1',
    port: 0,
    routes: {
      'POST /slack/events': slackEventsRoute({
        ...{ intake, signingSecret: SECRET, now, log },
        metrics: { refused: () => undefined },
      }),
    },
    log,
    ...(options.timeouts ? { timeouts: options.timeouts } : {}),
  });
  const url = `${await server.listen()}/slack/events`;
  onTestFinished(async () => {
    await server.close();
    await runner.stop();
  });

  const post: IntakeUnderTest['post'] = (body, headers) =>
    new Promise((resolve, reject) => {
      const call = request(url, { method: 'POST', headers, agent: false }, async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk);
        const { statusCode: status, headers: answered } = response;
        resolve({ status, headers: answered, body: Buffer.concat(chunks).toString() });
      });
      call.on('error', reject).end(body);
    });
  const send = (body: string | Buffer, contentType?: string) =>
    post(body, signed(body, now(), contentType));
  return {
    ...{ url, intake, db, folder, log: lines, post, send },
    sendJson: (body) => send(JSON.stringify(body)),
    async stored() {
      const rows = await db.selectFrom('jobs').select(['kind', 'state']).orderBy('id').execute();
      return rows.map(({ kind, state }) => `${kind} ${state}`);
    },
  };
}
