import { setTimeout as sleep } from 'node:timers/promises';
import type { WebClientOptions } from '@slack/web-api';
import type { Config } from '../config/config.ts';
import type { JobHandler } from '../jobs/job-attempts.ts';
import type { Routes } from '../ops/http-server.ts';
import type { Metrics } from '../ops/metrics/metrics.ts';
import { keyRejectedHandler } from './connect/key-rejected.ts';
import { type BuiltOn, createDeps, type SlackDeps } from './deps.ts';
import { createFilesCheck } from './files/check-files.ts';
import { lostFileHandler } from './files/lost-file.ts';
import type { OpenFiles } from './files/open-files.ts';
import { createIntake } from './intake/intake.ts';
import { SLACK_JOBS } from './jobs.ts';
import { createBolt, listen } from './listener/bolt.ts';
import { createIsFirstDelivery } from './listener/delivery.ts';
import { createAnnouncer, createNotes } from './request-form/announce.ts';
import { createAuthorCheck, createNewCardWriter } from './request-form/sending.ts';
import { createShowOutcome } from './request-form/show-outcome.ts';
import { createRoutes } from './routes.ts';
import { createShow } from './watching/show.ts';
import { createTell } from './watching/tell.ts';
import { createGalleryLinks, galleryRoutes } from './work-object/gallery.ts';
import { greetInstallerHandler } from './workspaces/greet-installer.ts';

/** Interactions are acknowledged within 3 s. Whatever they do after that may be lost. In ms. */
const LAST_INTERACTIONS_MS = 3_000;

/** Everything that takes what Slack delivers and handles it. */
export function createSlack(
  config: Config,
  on: BuiltOn & { clientOptions: WebClientOptions; metrics: Metrics },
) {
  const { stores, workspaces, jobs, cards, now, log } = on;
  const { encryptionKeys: keys, publicUrl, designApi } = config;
  const gallery =
    publicUrl === undefined ? undefined : createGalleryLinks({ keys, publicUrl, now });
  const handlerDeps = createDeps(config, on, gallery);
  const { homes, settings } = handlerDeps;
  const routes: Routes = gallery
    ? galleryRoutes({
        links: gallery,
        cards,
        settings,
        has: workspaces.has,
        serviceOrigin: new URL(designApi.baseUrl).origin,
        log,
      })
    : {};
  const bolt = createBolt(on);
  listen(bolt, {
    ...handlerDeps,
    routes: createRoutes(handlerDeps),
    isFirstDelivery: createIsFirstDelivery({ entries: stores.entries, now, log }),
  });
  const intake = createIntake({ ...on, bolt, queue: jobs, admit: workspaces.admit });
  return {
    intake,
    /** Resolves when nothing is being handled, and no Home tab drawn, or when that takes too long. */
    async finish(): Promise<void> {
      const idle = intake.idle().then(homes.idle);
      await Promise.race([idle, sleep(LAST_INTERACTIONS_MS, undefined, { ref: false })]);
    },
    forJobs: createJobHandlers(config, { ...handlerDeps, ...intake, files: on.files }),
    /** The pages of images. */
    routes,
  };
}

/** What runs the jobs of Slack's side, and what those of requests and watched cards need of it. */
function createJobHandlers(
  { fileMaxBytes, designApi }: Config,
  deps: SlackDeps & { runStoredEvent: JobHandler; files: OpenFiles | undefined },
) {
  const { runStoredEvent, files, now } = deps;
  return {
    handlers: {
      [SLACK_JOBS.event]: runStoredEvent,
      [SLACK_JOBS.keyRejected]: keyRejectedHandler(deps),
      [SLACK_JOBS.greetInstaller]: greetInstallerHandler(deps),
      [SLACK_JOBS.stepLimit]: deps.steps.onLimit,
      [SLACK_JOBS.stepFailed]: deps.steps.onFailed,
      [SLACK_JOBS.lostFile]: lostFileHandler(deps),
      [SLACK_JOBS.completeForm]: deps.filling.retryWith(deps.clients),
    },
    whenGivenUp: { [SLACK_JOBS.event]: deps.steps.onEventGivenUp },
    ofRequests: {
      settings: deps.settings,
      checkAuthor: createAuthorCheck(deps),
      checkFiles: createFilesCheck({ source: files?.source, maxBytes: fileMaxBytes, now }),
      toNewCard: createNewCardWriter({
        ...deps,
        fileLinks: files?.links,
        fileFormat: designApi.fileFormat,
      }),
      announcer: createAnnouncer({
        ...deps,
        showOutcome: createShowOutcome(deps),
        notes: createNotes(deps),
      }),
    },
    notifier: {
      show: createShow({ ...deps, inConfirmation: deps, inMessages: deps }),
      tell: createTell({ ...deps, messages: deps }),
    },
  };
}
