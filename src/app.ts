import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from './config/config.ts';
import { createLeftoverDeletion } from './installations/delete-leftovers.ts';
import { deleteWorkspace } from './installations/delete-workspace.ts';
import { createEffectiveKeys } from './installations/effective-keys.ts';
import { keepFindingMissedUninstalls } from './installations/find-missed-uninstalls.ts';
import { createInstalledCheck } from './installations/installed-check.ts';
import { connectFromSettings } from './installations/seed-key.ts';
import { createChannelSettings, createWorkspaceSettings } from './installations/settings.ts';
import type { OwnerId } from './installations/workspace-id.ts';
import { createLease } from './jobs/lease.ts';
import { createJobQueue } from './jobs/queue.ts';
import { createJobRunner } from './jobs/runner.ts';
import { healthRoutes } from './ops/health.ts';
import { createHttpServer } from './ops/http-server.ts';
import type { Log } from './ops/logging.ts';
import { createMetrics } from './ops/metrics/metrics.ts';
import { metricsRoute } from './ops/metrics/metrics-route.ts';
import { createOutage } from './ops/outage.ts';
import { createFormDefaults } from './requests/form-defaults.ts';
import { givenUpRequestJobs, requestJobHandlers } from './requests/job-handlers.ts';
import { linkReadCard } from './requests/link-card.ts';
import { resumeRequests } from './requests/resume-requests.ts';
import { createUnfinishedForms } from './requests/unfinished-forms.ts';
import { createGates } from './service/budget/gate.ts';
import { createCardReader } from './service/cache/card-reader.ts';
import { createReferenceLists } from './service/cache/reference-lists.ts';
import { type CardLinks, createCardLinks } from './service/card-links.ts';
import { createDesignApi } from './service/client.ts';
import { createServiceAccess } from './service/service-access.ts';
import { createBolt } from './slack/bolt.ts';
import { createIncompleteMessages } from './slack/card/posted-links.ts';
import { isUnfurled } from './slack/card/unfurl-host.ts';
import { createUnfurlLimit } from './slack/card/unfurl-limit.ts';
import { createDirectMessages } from './slack/client/direct-messages.ts';
import { retryAfterSlackError } from './slack/client/errors.ts';
import { measureCalls } from './slack/client/measured-calls.ts';
import { slackClientOptions } from './slack/client/slack-client.ts';
import { keyRejectedHandler, keyRejectedJob } from './slack/connect/key-rejected.ts';
import { createAdminToAsk } from './slack/directory/admin-to-ask.ts';
import { createConversations } from './slack/directory/conversations.ts';
import { createPeople } from './slack/directory/people.ts';
import { createFilesCheck } from './slack/files/check-files.ts';
import { createFormFilesAccess } from './slack/files/form-files.ts';
import { lostFileHandler } from './slack/files/lost-file.ts';
import { openFiles } from './slack/files/open-files.ts';
import { createHomes } from './slack/home/homes.ts';
import { frontPageRoute } from './slack/install/front-page.ts';
import { greetInstallerHandler } from './slack/install/greet-installer.ts';
import { createIntake } from './slack/intake/intake.ts';
import { measureIntake } from './slack/intake/measured-intake.ts';
import { createTransport } from './slack/intake/transport.ts';
import { SLACK_JOBS } from './slack/jobs.ts';
import { openWorkspaces } from './slack/open-workspaces.ts';
import { createAnnouncer } from './slack/request-form/announcer.ts';
import { createAuthorCheck } from './slack/request-form/check-author.ts';
import { completeFormHandler } from './slack/request-form/fill-form.ts';
import { createNewCardWriter } from './slack/request-form/new-card.ts';
import { createOutcomeDrawer } from './slack/views/draw-outcome.ts';
import { createRedraws } from './slack/views/redraws.ts';
import { createShow } from './slack/watching/show.ts';
import { createTell } from './slack/watching/tell.ts';
import { createGalleryLinks } from './slack/work-object/gallery-links.ts';
import { galleryRoutes } from './slack/work-object/gallery-routes.ts';
import { createWorkObjects } from './slack/work-object/work-objects.ts';
import {
  givenUpStep,
  stepFailedHandler,
  stepLimitHandler,
} from './slack/workflow-step/step-limits.ts';
import type { WrapDialect } from './store/database.ts';
import { retryPassing } from './store/database-failures.ts';
import { isPostgres } from './store/database-location.ts';
import type { NewJob } from './store/jobs.ts';
import { openStores } from './store/open-stores.ts';
import { keepPruned } from './store/prune.ts';
import { createEraser } from './store/sqlite/erase.ts';
import { VERSION } from './version.ts';
import { watchJobHandlers } from './watching/job-handlers.ts';
import { noteRefreshes } from './watching/note-refreshes.ts';
import { WATCH_SCHEDULE } from './watching/schedule.ts';

/** The running app. */
export type App = {
  /** The URL that it listens on, for example `http://127.0.0.1:3000`. */
  url: string;
  /** Accepts nothing new, finishes running work, and closes everything in reverse order. */
  stop(): Promise<void>;
};

/**
 * The composition root: builds every part from the configuration and starts it. Nothing else constructs a
 * dependency or opens a socket. If the start fails, everything that was opened is closed.
 *
 * @param deps.now the clock, for tests; the caches of people and channels don't use it
 * @param deps.wrapDialect lets tests intercept every SQL statement
 * @param deps.leaveRotationMs how long `/readyz` says 503 before a replica stops listening; tests without a load
 *   balancer don't wait
 * @throws DatabaseError, SlackTokenError, or the error of a port that could not be opened
 */
export async function startApp(
  config: Config,
  deps: { log: Log; now?: () => Date; wrapDialect?: WrapDialect; leaveRotationMs?: number },
): Promise<App> {
  const { log, now = () => new Date(), wrapDialect, leaveRotationMs = LEAVE_ROTATION_MS } = deps;
  const { slack, designApi } = config;
  const { partnerName } = designApi;
  // Closed in reverse order.
  await using opened = new AsyncDisposableStack();

  const metrics = createMetrics();
  const { stores, takesWrites, isShared, db, close } = await retryPassing(
    () =>
      openStores(config, log, {
        wrapDialect,
        onStep: metrics.databaseStep,
        onUndecryptable: metrics.undecryptable,
      }),
    log,
  );
  opened.defer(close);
  metrics.backlog(stores.backlog, now);
  if (!isPostgres(config.database)) metrics.databaseFile(config.database.path, now);
  const {
    requests,
    transact,
    entries,
    jobTable,
    watches,
    installations,
    organizations,
    rows,
    auditEntries,
  } = stores;
  const settings = createWorkspaceSettings(entries);
  const channelSettings = createChannelSettings(entries);
  const formDefaults = createFormDefaults(entries);
  const unfinishedForms = createUnfinishedForms(stores);

  // Which workspaces have the app
  const clientOptions = measureCalls(slackClientOptions({ apiUrl: slack.apiUrl, log }), metrics);
  const installedCheck = createInstalledCheck({ installations, organizations, now });
  const access = { stores, isShared, installedCheck, clientOptions, now, log };
  const opening = openWorkspaces(slack.access, access);
  const { workspaces } = opening;
  const jobs = createJobQueue({ jobs: jobTable, accepts: workspaces.has, now });
  const files = openFiles(config, { workspaces, requests, jobs, now, log });
  const formFiles = createFormFilesAccess({
    clients: workspaces,
    formFiles: files?.forForms,
    now,
  });
  const people = createPeople(performance, formFiles.note);
  const conversations = createConversations();
  const directMessages = createDirectMessages({ entries, now, log });
  const eraser = createEraser(db, { now, log });
  const leftovers = createLeftoverDeletion({ rows, erase: eraser.rewriteFile, log });

  // The design service
  const outage = createOutage(log, {
    begins: 'the design service at DESIGN_API_BASE_URL keeps failing, so requests wait',
    ends: 'the design service at DESIGN_API_BASE_URL works again',
  });
  const gates = createGates({
    store: stores.budgets,
    now,
    observer: {
      ...metrics,
      budgetFailed(error) {
        metrics.budgetFailed();
        log.error({ err: error }, 'could not read or write the budget of an API key');
      },
      keepsFailing: (reason) => outage.failed(reason, SERVICE_FAILS_FOR_MS),
      works: outage.worked,
    },
  });
  metrics.keys(gates.states);
  const keys = createEffectiveKeys({ keys: stores.keys, organizations, transact });
  const service = createServiceAccess({
    keys,
    gates,
    openApi: (apiKey, gate) => createDesignApi({ ...designApi, apiKey, gate, now }),
    keyRejectedJob,
    now,
    log,
  });
  const referenceLists = createReferenceLists({ service, now, metrics, log, entries });
  const cards = noteRefreshes(
    { watches, jobTable, transact, schedule: WATCH_SCHEDULE, now, log },
    createCardReader({
      ...{ service, now, metrics, log },
      timezone: designApi.timezone,
      entries: isShared ? entries : undefined,
      async onRead(id, card) {
        await linkReadCard({ requests, transact, now, log }, id, card);
        await referenceLists.noteProduct(id, card.productType);
      },
    }),
  );
  const cardLinks = createCardLinks(config.cardUrlTemplates);
  warnOfHosts(cardLinks, log);

  async function deleteIfUninstalled(id: OwnerId, at?: Date): Promise<void> {
    const { isInstalled, isGranted, forget: close } = workspaces;
    const slackAccess = { isInstalled, isGranted, close };
    const stored = { rows, installations, organizations, service, referenceLists, cards };
    const isDeleted = await deleteWorkspace({ ...stored, ...slackAccess, log }, { id, at });
    if (!isDeleted) return;
    await eraser.rewriteFile();
    leftovers.afterUninstall();
  }

  // Slack
  const gallery =
    config.publicUrl === undefined
      ? undefined
      : createGalleryLinks({ keys: config.encryptionKeys, publicUrl: config.publicUrl, now });
  const admins = createAdminToAsk({ keys, installations, organizations, people, log });
  const redraws = createRedraws();
  const homes = createHomes({
    people,
    ...admins,
    redraws,
    settings,
    requests,
    watches,
    unfinishedForms,
    keys,
    cards,
    cardLinks,
    clients: workspaces,
    supportUrl: config.supportUrl,
    now,
    log,
  });
  const handlerDeps = {
    homes,
    keys,
    requests,
    formDefaults,
    unfinishedForms,
    entries,
    watches,
    settings,
    auditEntries,
    channelSettings,
    organizations,
    transact,
    jobs,
    service,
    referenceLists,
    cards,
    cardLinks,
    unfurlLimit: createUnfurlLimit(now),
    incompleteMessages: createIncompleteMessages(),
    workObjects: createWorkObjects({ settings, gallery, cardLinks, now, log }),
    people,
    ...admins,
    conversations,
    directMessages,
    clients: workspaces,
    outcomes: createOutcomeDrawer({ log }),
    redraws,
    deleteIfUninstalled,
    formFiles,
    partnerName,
    now,
    log,
  };
  const bolt = createBolt({ workspaces, clientOptions, handlerDeps });
  const intake = measureIntake(
    createIntake({ bolt, queue: jobs, admit: workspaces.admit, deleteIfUninstalled, log }),
    { metrics, now },
  );

  // Jobs
  const stopping = new AbortController();
  // Stored requests are resumed whether or not their workspace is known to have the app by now.
  const uncheckedJobs = { add: (job: NewJob) => jobTable.add(job, now()) };
  const resume = () =>
    resumeRequests({ requests, keys, jobs: uncheckedJobs, transact, jobTable, now });
  const lease = isShared
    ? createLease({ replicas: stores.replicas, onExpired: resume, now, log })
    : undefined;
  const runner = createJobRunner({
    jobs: jobTable,
    lease,
    whenGivenUp: {
      ...givenUpRequestJobs({ requests, jobs, transact, jobTable, now, log }),
      [SLACK_JOBS.event]: givenUpStep({ jobs, log }),
    },
    retryAfter: retryAfterSlackError,
    observer: { kinds: metrics.jobKinds, attempted: metrics.attempted },
    handlers: {
      [SLACK_JOBS.event]: intake.runStoredEvent,
      [SLACK_JOBS.keyRejected]: keyRejectedHandler(handlerDeps),
      [SLACK_JOBS.greetInstaller]: greetInstallerHandler(handlerDeps),
      [SLACK_JOBS.stepLimit]: stepLimitHandler(handlerDeps),
      [SLACK_JOBS.stepFailed]: stepFailedHandler(handlerDeps),
      [SLACK_JOBS.lostFile]: lostFileHandler(handlerDeps),
      [SLACK_JOBS.completeForm]: completeFormHandler(handlerDeps),
      ...requestJobHandlers({
        ...handlerDeps,
        jobTable,
        stopping: stopping.signal,
        whyAuthorDenied: createAuthorCheck(handlerDeps),
        whyFilesUnusable: createFilesCheck({
          source: files?.source,
          maxBytes: config.fileMaxBytes,
          now,
        }),
        toNewCard: createNewCardWriter({
          ...handlerDeps,
          fileLinks: files?.links,
          fileFormat: designApi.fileFormat,
        }),
        announcer: createAnnouncer(handlerDeps),
      }),
      ...watchJobHandlers({
        ...handlerDeps,
        schedule: WATCH_SCHEDULE,
        notifier: { show: createShow(handlerDeps), tell: createTell(handlerDeps) },
      }),
    },
    now,
    log,
  });
  opened.defer(() => runner.stop());

  // Incoming deliveries
  const transport = await createTransport({ ...slack, intake, metrics, now, log });
  const isSocket = slack.transport.mode === 'socket';
  metrics.contact(() => ({
    silentSeconds: intake.silentSeconds(),
    isConnected: isSocket ? transport.isReady() : undefined,
  }));
  opened.defer(() => transport.stop());
  const idle = async () => {
    await intake.idle();
    await homes.idle();
  };
  opened.defer(() =>
    Promise.race([idle(), sleep(LAST_INTERACTIONS_MS, undefined, { ref: false })]),
  );
  const server = createHttpServer({
    ...config.server,
    basePath: config.publicUrl && new URL(config.publicUrl).pathname.replace(/\/$/, ''),
    log,
    routes: {
      ...healthRoutes({
        database: takesWrites,
        slack: async () => workspaces.isReady() && transport.isReady(),
        staying: async () => !stopping.signal.aborted,
      }),
      ...metricsRoute({ metrics, token: config.metricsToken }),
      ...frontPageRoute({ ...config, canInstall: slack.access.kind === 'oauth' }),
      ...transport.routes,
      ...opening.routes({ jobs }),
      ...files?.routes,
      ...(gallery
        ? galleryRoutes({
            links: gallery,
            cards,
            settings,
            has: workspaces.has,
            serviceOrigin: new URL(designApi.baseUrl).origin,
            log,
          })
        : {}),
    },
  });
  const url = await server.listen();
  opened.defer(() => server.close());

  const workspaceId = await opening.open({ signal: stopping.signal });
  opened.defer(() => opening.close());
  if (workspaceId !== undefined) {
    const { apiKey } = designApi;
    if (apiKey) {
      const connect = () => connectFromSettings({ transact, keys, now, log }, workspaceId, apiKey);
      await retryPassing(connect, log);
    }
  }
  await retryPassing(resume, log);
  await transport.start();
  await retryPassing(runner.start, log);
  if (lease) opened.defer(() => sleep(leaveRotationMs));
  // When stopping, this runs before everything above: no job starts any more, while deliveries that still arrive are
  // stored for the next start.
  opened.defer(() => void runner.stop());

  opened.defer(keepPruned({ db, stores, eraser, now, log }));
  leftovers.start();
  opened.defer(leftovers.end);
  opened.defer(keepFindingMissedUninstalls({ installations, deleteIfUninstalled, log }));
  opened.defer(() => stopping.abort());

  const key = await retryPassing(async () => workspaceId && keys.describe(workspaceId), log);
  const next = workspaceId && !key ? NOT_CONNECTED : undefined;
  log.info(
    { url, version: VERSION, workspace: workspaceId, transport: slack.transport.mode, next },
    'ready',
  );
  // So that the first form opens complete.
  if (workspaceId !== undefined) referenceLists.formOptions(workspaceId).catch(() => undefined);
  const running = opened.move();
  return { url, stop: () => running.disposeAsync() };
}

function warnOfHosts({ hosts }: CardLinks, log: Log): void {
  const notUnfurled = hosts.filter((host) => !isUnfurled(host));
  if (notUnfurled.length === 0) return;
  log.warn({ hosts: notUnfurled }, 'Slack won’t unfurl links to these hosts of CARD_URL_TEMPLATE');
}

/** In the first `ready` line, which is the last thing that an operator reads before trying the app. */
const NOT_CONNECTED = 'not connected yet: a workspace admin types /design-request connect in Slack';

/** With several API keys, some may still work; those that fail are tried again about every minute. */
const SERVICE_FAILS_FOR_MS = 3 * 60_000;

/** Load balancers ask `/readyz` about once a second. */
const LEAVE_ROTATION_MS = 1_500;

/** Interactions are acknowledged within 3 s. Whatever they do after that may be lost. In ms. */
const LAST_INTERACTIONS_MS = 3_000;
