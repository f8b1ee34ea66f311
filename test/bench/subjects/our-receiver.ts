import { parseArgs } from 'node:util';
import { App } from '@slack/bolt';
import { createHttpServer } from '../../../src/ops/http-server.ts';
import { createLog } from '../../../src/ops/logging.ts';
import { boltLogger, slackClientOptions } from '../../../src/slack/client/slack-client.ts';
import { slackEventsRoute } from '../../../src/slack/intake/http.ts';
import { createIntake } from '../../../src/slack/intake/intake.ts';
import { SLACK_JOBS } from '../../../src/slack/interaction/jobs.ts';
import type { NewJob } from '../../../src/store/jobs.ts';

/**
 * The control: the app's own receiver without the store. Events go to the same Bolt from memory after they
 * are acknowledged; listeners only acknowledge, like those of the bare app.
 */
const { values } = parseArgs({
  options: {
    'signing-secret': { type: 'string', default: '' },
    'slack-api-url': { type: 'string', default: '' },
  },
});
const { 'signing-secret': signingSecret, 'slack-api-url': apiUrl } = values;

const log = createLog({ level: 'info' });
const clientOptions = slackClientOptions({ apiUrl, log });
const botToken = 'xoxb-our-receiver';
const bolt = new App({
  receiver: { init: () => undefined, start: async () => undefined, stop: async () => undefined },
  authorize: async () => ({ botToken, botId: 'B1', botUserId: 'U1' }),
  clientOptions,
  logger: boltLogger(log),
  tokenVerificationEnabled: false,
  convoStore: false,
});
bolt.command('/design-request', ({ ack }) => ack());
bolt.action(/.*/, ({ ack }) => ack());
bolt.event('link_shared', async () => undefined);

const runLater = (job: NewJob) =>
  setImmediate(() => {
    const { kind, workspaceId, payload } = job;
    const now = new Date();
    const claim = { id: 0, identity: undefined, attempts: 1, fence: 1, runAt: now, createdAt: now };
    void intake.handlers[SLACK_JOBS.event]({ ...claim, kind, workspaceId, payload });
  });
const jobs = {
  add: async (job: NewJob) => {
    runLater(job);
    return true;
  },
};
const intake = createIntake({
  ...{ bolt, jobs, log },
  admit: async ({ workspaceId }) => workspaceId,
  deleteIfUninstalled: async () => undefined,
  metrics: { delivered: () => undefined },
  now: () => new Date(),
});
const receive = slackEventsRoute({
  ...{ intake, signingSecret, log, now: () => new Date() },
  metrics: { refused: () => undefined },
});
const routes = { 'POST /slack/events': receive };
const server = createHttpServer({ host: '127.0.0.1', port: 0, routes, log });
log.info({ url: await server.listen() }, 'ready');
