import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from './config/config.ts';
import { createDeletion } from './deletion.ts';
import { createDesignService } from './design-service.ts';
import { connectFromSettings } from './installations/connect-key.ts';
import { createJobs } from './job-runner.ts';
import { createJobQueue } from './jobs/queue.ts';
import { healthRoutes } from './ops/health.ts';
import { createHttpServer } from './ops/http-server.ts';
import type { Log } from './ops/logging.ts';
import { createMetrics } from './ops/metrics/metrics.ts';
import { metricsRoute } from './ops/metrics/metrics-route.ts';
import { slackClientOptions } from './slack/client/slack-client.ts';
import { createSlack } from './slack/create-slack.ts';
import { slackEventsRoute } from './slack/intake/http.ts';
import { createSocketConnection } from './slack/intake/socket-connection.ts';
import { createConfiguredWorkspaces } from './slack/workspaces/configured-workspaces.ts';
import { frontPageRoute } from './slack/workspaces/pages.ts';
import type { WrapDialect } from './store/database.ts';
import { isPostgres } from './store/database-location.ts';
import { openStores, retryTransient } from './store/open-stores.ts';
import { VERSION } from './version.ts';

export type App = {
  /** The URL that it listens on, for example `http://127.0.0.1:3000`. */
  url: string;
  /** Accepts nothing new, finishes running work, and closes everything in reverse order. */
  stop(): Promise<void>;
};

/**
 * The composition root: builds every part from the configuration and starts it. Nothing else opens a
 * socket. If the start fails, everything that was opened is closed.
 *
 * @param deps.now for tests; the caches of people and channels don't use it
 * @param deps.wrapDialect lets tests intercept every SQL statement
 * @param deps.leaveRotationMs how long `/readyz` says 503 before a replica stops listening
 * @throws DatabaseError, SlackTokenError, or the error of a port that could not be opened
 */
export async function startApp(
  config: Config,
  deps: { log: Log; now?: () => Date; wrapDialect?: WrapDialect; leaveRotationMs?: number },
): Promise<App> {
  const { log, now = () => new Date(), wrapDialect, leaveRotationMs = LEAVE_ROTATION_MS } = deps;
  const { slack, designApi } = config;
  // Closed in reverse order.
  await using opened = new AsyncDisposableStack();

  const metrics = createMetrics();
  const { databaseStep: onStep, undecryptable: onUndecryptable } = metrics;
  const { stores, takesWrites, isShared, db, close } = await retryTransient(
    () => openStores(config, log, { wrapDialect, onStep, onUndecryptable }),
    log,
  );
  opened.defer(close);
  metrics.backlog(stores.backlog, now);
  if (!isPostgres(config.database)) metrics.databaseFile(config.database.path, now);
  const base = { stores, isShared, metrics, now, log };

  const clientOptions = slackClientOptions({ apiUrl: slack.apiUrl, metrics, log });
  const configured = createConfiguredWorkspaces(slack.access, { ...base, clientOptions });
  const { workspaces } = configured;
  const jobs = createJobQueue({ jobs: stores.jobTable, accepts: workspaces.has, now });

  const service = createDesignService(config, base);
  const { keys, referenceLists } = service;
  const deletion = createDeletion({ ...base, ...service, db, workspaces });
  const { intake, finish, forJobs, routes } = createSlack(config, {
    ...base,
    ...service,
    workspaces,
    clientOptions,
    jobs,
    deleteIfUninstalled: deletion.deleteIfUninstalled,
  });

  const stopping = new AbortController();
  const { signal } = stopping;
  const { resume, runner } = createJobs({
    ...base,
    ...service,
    jobs,
    slack: forJobs,
    stopping: signal,
  });
  opened.defer(() => runner.stop());

  const { transport, apiUrl } = slack;
  const { mode } = transport;
  const socket =
    mode === 'socket'
      ? createSocketConnection({ appToken: transport.appToken, apiUrl, intake, log })
      : undefined;
  metrics.contact(() => ({
    silentSeconds: intake.silentSeconds(),
    isConnected: socket?.isConnected(),
  }));
  opened.defer(async () => socket?.stop());
  opened.defer(finish);
  const server = createHttpServer({
    ...config.server,
    basePath: config.publicUrl && new URL(config.publicUrl).pathname.replace(/\/$/, ''),
    log,
    routes: {
      ...healthRoutes({
        database: takesWrites,
        slack: async () => workspaces.isReady() && (socket?.isConnected() ?? true),
        staying: async () => !stopping.signal.aborted,
      }),
      ...metricsRoute({ metrics, token: config.metricsToken }),
      ...frontPageRoute(slack.access.kind === 'oauth', config.supportUrl),
      ...(mode === 'http'
        ? { 'POST /slack/events': slackEventsRoute({ ...base, ...transport, intake }) }
        : {}),
      ...configured.routes({ jobs }),
      ...routes,
    },
  });
  const url = await server.listen();
  opened.defer(() => server.close());

  const workspaceId = await configured.start({ signal });
  opened.defer(() => configured.close());
  const { apiKey } = designApi;
  if (workspaceId !== undefined && apiKey) {
    const connect = () => connectFromSettings({ ...stores, keys, now, log }, workspaceId, apiKey);
    await retryTransient(connect, log);
  }
  await retryTransient(resume, log);
  await socket?.start();
  await retryTransient(runner.start, log);
  if (isShared) opened.defer(() => sleep(leaveRotationMs));
  // Stopped first: no job starts any more; deliveries that still arrive wait for the next start.
  opened.defer(() => void runner.stop());
  opened.defer(deletion.start());
  opened.defer(() => stopping.abort());

  const key = await retryTransient(async () => workspaceId && keys.describe(workspaceId), log);
  const next = workspaceId && !key ? NOT_CONNECTED : undefined;
  log.info({ url, version: VERSION, workspace: workspaceId, transport: mode, next }, 'ready');
  // So that the first form opens complete.
  if (workspaceId) referenceLists.formOptions(workspaceId).catch(() => undefined);
  const all = opened.move();
  return { url, stop: () => all.disposeAsync() };
}

/** In the first `ready` line, the last that an operator reads before trying the app. */
const NOT_CONNECTED = 'not connected yet: a workspace admin types /design-request connect in Slack';

/** Load balancers ask `/readyz` about once a second. */
const LEAVE_ROTATION_MS = 1_500;
