import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { App } from '@slack/bolt';
import { onTestFinished } from 'vitest';
import { asWorkspace, type WorkspaceId } from '../../../src/installations/workspace-id.ts';
import { createJobRunner } from '../../../src/jobs/runner.ts';
import { createHttpServer } from '../../../src/ops/http-server.ts';
import { slackEventsRoute } from '../../../src/slack/intake/http.ts';
import { createIntake } from '../../../src/slack/intake/intake.ts';
import type { Workspaces } from '../../../src/slack/workspaces/workspaces.ts';
import { createJobStore } from '../../../src/store/jobs.ts';
import { signatureOf } from '../../stand-ins/slack/signing.ts';
import { temporaryDatabase } from '../../store/sqlite-files.ts';
import { at, logTo } from '../../store/stores-under-test.ts';

export const SECRET = 'the-signing-secret';
export const FORM_TYPE = 'application/x-www-form-urlencoded';

type Answer = { status: number | undefined; body: string };

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
    admit?: Workspaces['admit'];
    deleteIfUninstalled?: (workspaceId: WorkspaceId) => Promise<void>;
  } = {},
) {
  const lines: string[] = [];
  const log = logTo(lines);
  const now = () => at(0);
  const { db, path } = await temporaryDatabase();

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
    jobs,
    admit: options.admit ?? admitAll,
    deleteIfUninstalled: options.deleteIfUninstalled ?? (async () => undefined),
    metrics: { delivered: () => undefined },
    now,
    log,
  });
  const runner = createJobRunner({
    jobs,
    handlers: intake.handlers,
    now,
    log,
  });
  await runner.start();
  const server = createHttpServer({
    host: '127.0.0.1',
    port: 0,
    routes: {
      'POST /slack/events': slackEventsRoute({
        intake,
        signingSecret: SECRET,
        now,
        log,
        metrics: { refused: () => undefined },
      }),
    },
    log,
  });
  const url = `${await server.listen()}/slack/events`;
  onTestFinished(async () => {
    await server.close();
    await runner.stop();
  });

  /** POSTs bytes with these headers; an array sends a header several times. */
  const post = (body: string | Buffer, headers: Record<string, string | string[]>) =>
    new Promise<Answer>((resolve, reject) => {
      const call = request(url, { method: 'POST', headers, agent: false }, async (response) => {
        const { statusCode: status } = response;
        resolve({ status, body: await text(response) });
      });
      call.on('error', reject).end(body);
    });
  /** POSTs with the signature that Slack would make at the clock's time. */
  const send = (body: string | Buffer, contentType?: string) =>
    post(body, signed(body, now(), contentType));
  return {
    url,
    path,
    log: lines,
    post,
    send,
    sendJson: (body: unknown) => send(JSON.stringify(body)),
    /** The kinds and states of all stored jobs. */
    async stored() {
      const rows = await db.selectFrom('jobs').select(['kind', 'state']).orderBy('id').execute();
      return rows.map(({ kind, state }) => `${kind} ${state}`);
    },
  };
}
