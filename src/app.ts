import { setTimeout as sleep } from 'node:timers/promises';
import { createCardReader } from './cards/card-reader.ts';
import { createSharedCards } from './cards/shared-cards.ts';
import { createCatalogue } from './catalogue/catalogue.ts';
import { keepWarm } from './catalogue/keep-warm.ts';
import type { Config } from './config.ts';
import { createCardLinks } from './design-api/card-links.ts';
import { createGates } from './design-api/gates.ts';
import { createLease } from './jobs/lease.ts';
import { createJobRunner, type JobQueue } from './jobs/runner.ts';
import { healthRoutes } from './ops/health.ts';
import { createHttpServer } from './ops/http-server.ts';
import type { Log } from './ops/logging.ts';
import { createMetrics } from './ops/metrics.ts';
import { metricsRoute } from './ops/metrics-route.ts';
import { givenUpRequestJobs, requestJobHandlers } from './requests/job-handlers.ts';
import { resumeUnfinished } from './requests/resume-unfinished.ts';
import { createBolt } from './slack/bolt.ts';
import { createUnfurlTurns } from './slack/card/unfurl-turns.ts';
import { createConversations } from './slack/conversations.ts';
import { GREET_INSTALLER_JOB, greetInstallerHandler } from './slack/install/greet-installer.ts';
import { createIntake, SLACK_EVENT_JOB } from './slack/intake/intake.ts';
import { createTransport } from './slack/intake/transport.ts';
import { KEY_REJECTED_JOB, keyRejectedHandler, keyRejectedJob } from './slack/key-rejected.ts';
import { openWorkspaces } from './slack/open-workspaces.ts';
import { createPeople } from './slack/people.ts';
import { createAnnouncer } from './slack/request-form/announcer.ts';
import { createNewCardWriter } from './slack/request-form/new-card.ts';
import { slackClientOptions } from './slack/slack-client.ts';
import { createOutcomeDrawer, DRAW_VIEW_JOB } from './slack/views/draw-outcome.ts';
import { isReachable } from './store/database.ts';
import { openStores } from './store/open-stores.ts';
import { keepPruned } from './store/prune.ts';
import { createEffectiveKeys } from './workspaces/effective-keys.ts';
import { forgetWorkspace } from './workspaces/forget-workspace.ts';
import { keepLookingForDepartures } from './workspaces/look-for-departures.ts';
import { createPresence } from './workspaces/presence.ts';
import { createServiceAccess } from './workspaces/service-access.ts';
import { keepSwept, type Sweep } from './workspaces/sweep.ts';
import type { OwnerId } from './workspaces/workspace-id.ts';

/** The running app. */
export type App = {
  /** Where it listens, for example `http://127.0.0.1:3000`. */
  url: string;
  /** Takes nothing new, finishes what is under way, closes everything in reverse order. */
  stop(): Promise<void>;
};

/**
 * Builds the app out of its configuration and starts it: nothing else constructs a dependency or opens
 * a socket. The clock comes in, too; only what Slack said of people and channels is remembered by the
 * process's own time.
 *
 * @throws DatabaseError, SlackTokenError, or the error of the port that could not be had
 */
export async function startApp(config: Config, deps: { log: Log; now?: () => Date }): Promise<App> {
  const { log, now = () => new Date() } = deps;
  const { slack, designApi } = config;
  const { partnerName } = designApi;
  const { stores, db, isShared, close: closeStores } = await openStores(config, log);
  const metrics = createMetrics();
  const clientOptions = slackClientOptions({ apiUrl: slack.apiUrl, log });
  const presence = createPresence({ ...stores, now });
  const opening = await openWorkspaces(slack.access, { stores, presence, clientOptions, now, log });
  const { workspaces } = opening;
  const clients = workspaces;
  const people = createPeople();
  const conversations = createConversations();

  const gates = createGates({
    store: stores.budgets,
    now,
    observer: {
      ...metrics,
      budgetTrouble(error) {
        metrics.budgetTrouble();
        log.error({ err: error }, 'the budget of an API key could not be read or written');
      },
    },
  });
  metrics.keys(gates.states);
  const keys = createEffectiveKeys(stores);
  const service = createServiceAccess({
    ...{ keys, gates, now, log },
    async openApi(apiKey, gate) {
      // Read with the first key, for what it takes to read answers: the app is ready without it.
      const { createDesignApi } = await import('./design-api/client.ts');
      return createDesignApi({ ...designApi, apiKey, gate, now });
    },
    onKeyRejected: async (workspaceId) => void (await jobs.add(keyRejectedJob(workspaceId))),
  });
  const catalogue = createCatalogue({ service, now, metrics });
  const cards = createCardReader({
    ...{ service, now, metrics },
    shared: isShared ? createSharedCards({ store: stores.cardCache, now, log }) : undefined,
  });
  const cardLinks = createCardLinks(config.cardUrlTemplates);

  let sweep: Sweep | undefined;
  // Handlers add jobs, and jobs run handlers; the queue is what both are built on.
  // Nothing under way brings back a workspace that has left.
  const jobs: JobQueue = {
    add: async (job) => (await workspaces.has(job.workspaceId)) && (await runner.add(job)),
  };
  const outcomes = createOutcomeDrawer({ jobs, clients, now });
  const surface = {
    ...stores,
    ...{ keys, service, catalogue, cards, cardLinks, people, conversations, outcomes },
    ...{ partnerName, jobs, now, log },
    unfurlTurns: createUnfurlTurns(now),
    forget: async (id: OwnerId, at?: Date) => {
      const isForgotten = await forgetWorkspace(
        {
          ...{ service, catalogue, cards, log, ...stores },
          ...{ isInstalled: workspaces.isInstalled, isGranted: workspaces.isGranted },
          close: workspaces.forget,
        },
        { id, at },
      );
      if (isForgotten) sweep?.afterDeparture();
    },
  };
  const bolt = createBolt({ workspaces, clientOptions, surface });
  const intake = createIntake({
    ...{ bolt, queue: jobs, admit: workspaces.admit, forget: surface.forget, log },
  });
  const stopping = new AbortController();
  const resume = () => resumeUnfinished({ ...stores, keys, jobs: runner, now });
  const lease = isShared ? createLease({ ...stores, onDeath: resume, now, log }) : undefined;
  const runner = createJobRunner({
    jobs: stores.jobTable,
    now,
    log,
    whenGivenUp: givenUpRequestJobs(surface),
    lease,
    handlers: {
      [SLACK_EVENT_JOB]: intake.runStoredEvent,
      [DRAW_VIEW_JOB]: outcomes.drawAgain,
      [KEY_REJECTED_JOB]: keyRejectedHandler({ ...surface, clients }),
      ...requestJobHandlers({
        ...surface,
        lease,
        stopping: stopping.signal,
        toNewCard: createNewCardWriter({ clients, people, conversations }),
        announcer: createAnnouncer({ ...surface, clients }),
      }),
      [GREET_INSTALLER_JOB]: greetInstallerHandler({ ...surface, clients }),
    },
  });

  const transport = createTransport({ ...slack, intake, now, log });
  const server = createHttpServer({
    ...config.server,
    log,
    routes: {
      ...healthRoutes({
        database: () => isReachable(db),
        slack: async () => workspaces.isReady() && transport.isReady(),
        staying: async () => !stopping.signal.aborted,
      }),
      ...metricsRoute({ metrics, token: config.metricsToken }),
      ...transport.routes,
      ...opening.routes({ jobs }),
    },
  });

  const url = await server.listen();
  const workspaceId = await opening.open({ signal: stopping.signal });
  if (workspaceId !== undefined) {
    const { apiKey } = designApi;
    if (apiKey && (await stores.keys.seed(workspaceId, apiKey, now()))) {
      log.info({ workspace: workspaceId }, 'the API key of DESIGN_API_KEY was connected');
    }
  }
  await resume();
  await transport.start();
  await runner.start();
  const endPruning = keepPruned({ stores, now, log });
  const inUse = workspaceId === undefined ? stores.inUse : undefined;
  const endWarming = keepWarm({ catalogue, inUse, log });
  sweep = keepSwept({ rows: stores.rows, log });
  const endLooking = keepLookingForDepartures({ ...stores, forget: surface.forget, log });
  log.info({ url, workspace: workspaceId, transport: slack.transport.mode }, 'ready');
  if (workspaceId !== undefined) void catalogue.warm(workspaceId);

  return {
    url,
    async stop() {
      stopping.abort();
      endPruning();
      endWarming();
      sweep?.end();
      endLooking();
      opening.close();
      // No job begins from here on; what comes in meanwhile is kept for the next start.
      const jobsEnded = runner.stop();
      if (lease) await sleep(LEAVE_ROTATION_MS);
      await server.close();
      await Promise.race([intake.idle(), sleep(LAST_INTERACTIONS_MS, undefined, { ref: false })]);
      await transport.stop();
      await jobsEnded;
      await closeStores();
    },
  };
}

/** How long `/readyz` says it before a replica takes nothing more: load balancers look about each second. In ms. */
const LEAVE_ROTATION_MS = 1_500;

/** Interactions are acknowledged within 3 s; what goes on after that may end with the process. In ms. */
const LAST_INTERACTIONS_MS = 3_000;
