import { setTimeout as sleep } from 'node:timers/promises';
import type { WebClientOptions } from '@slack/web-api';
import type { Config } from '../config/config.ts';
import type { DesignService } from '../design-service.ts';
import { createChannelSettings, createWorkspaceSettings } from '../installations/settings.ts';
import type { OwnerId } from '../installations/workspace-id.ts';
import type { JobQueue } from '../jobs/queue.ts';
import type { Log } from '../ops/logging.ts';
import type { Metrics } from '../ops/metrics/metrics.ts';
import { createFormDefaults } from '../requests/form-defaults.ts';
import { createUnfinishedForms } from '../requests/unfinished-forms.ts';
import type { Stores } from '../store/stores.ts';
import { createCardButtons } from './card/buttons.ts';
import { createWatchedMessages } from './card/card-messages.ts';
import { createCardViews } from './card/card-view.ts';
import { createDetails } from './card/details.ts';
import { createGalleryLinks, galleryRoutes } from './card/gallery.ts';
import { createUnfurls } from './card/send-unfurls.ts';
import { createShow } from './card/show-change.ts';
import { createTell } from './card/tell-watchers.ts';
import { createUnfurlHandler } from './card/unfurl.ts';
import { createWatchButtons } from './card/watch-buttons.ts';
import { createWorkObjects } from './card/work-objects.ts';
import { createConversations } from './client/conversations.ts';
import { createDirectMessages } from './client/direct-messages.ts';
import { createPeople } from './client/people.ts';
import { createCommand, createSubCommands } from './command/registry.ts';
import { createHomes } from './home/homes.ts';
import { createIntake } from './intake/intake.ts';
import { createBolt, listen } from './listener/bolt.ts';
import { createRoutes } from './listener/routes.ts';
import { createAnnouncer, createNotes, createShowOutcome } from './request-form/announce.ts';
import {
  createConfirmations,
  createPosting,
  createRefreshConfirmation,
} from './request-form/confirmation.ts';
import { createListsForForms } from './request-form/draft.ts';
import { createFormFilling } from './request-form/fill-form.ts';
import { createFormFilesAccess } from './request-form/form-files.ts';
import { createDecisions } from './request-form/in-doubt.ts';
import { createFormModals } from './request-form/open.ts';
import { lostFileHandler, type OpenFiles } from './request-form/open-files.ts';
import { createHelp } from './request-form/outcome.ts';
import { createFormChanges } from './request-form/redraw.ts';
import {
  createAuthorCheck,
  createFilesCheck,
  createNewCardWriter,
} from './request-form/sending.ts';
import { createFormSubmission } from './request-form/submit.ts';
import { createSavedForms } from './request-form/unfinished.ts';
import { createConnect } from './settings/connect.ts';
import { createDisconnect } from './settings/disconnect.ts';
import { keyRejectedHandler } from './settings/key-rejected.ts';
import { createPresets } from './settings/preset.ts';
import { createRecentChanges } from './settings/recent-changes.ts';
import { createSettingsModal } from './settings/settings.ts';
import { createFormFromMessage } from './shortcuts/from-message.ts';
import { createAccess } from './surface/access.ts';
import { createAskAdmin } from './surface/connection.ts';
import { createIsFirstDelivery } from './surface/delivery.ts';
import { SLACK_JOBS } from './surface/jobs.ts';
import { createOutcomes } from './surface/update-view.ts';
import { createWorkflowStep } from './workflow-step/create-request.ts';
import { createStepRuns } from './workflow-step/finish-step.ts';
import { greetInstallerHandler } from './workspaces/greet-installer.ts';
import { createRemoval } from './workspaces/uninstalled.ts';
import type { Workspaces } from './workspaces/workspaces.ts';

/** The parts of the app that Slack's side is built on. */
type AppParts = DesignService & {
  stores: Stores;
  workspaces: Workspaces;
  clientOptions: WebClientOptions;
  metrics: Metrics;
  jobs: JobQueue;
  /** Undefined if the form takes no files. */
  files: OpenFiles | undefined;
  /**
   * Deletes all data of a workspace or organization, if it has uninstalled the app.
   *
   * @param at when Slack reported the uninstall
   */
  deleteIfUninstalled: (id: OwnerId, at?: Date) => Promise<void>;
  now: () => Date;
  log: Log;
};

/** Interactions are acknowledged within 3 s. Whatever they do after that may be lost. In ms. */
const LAST_INTERACTIONS_MS = 3_000;

/** Everything that takes what Slack delivers and handles it. */
export function createSlack(config: Config, parts: AppParts) {
  const { encryptionKeys, publicUrl, designApi, fileMaxBytes, supportUrl } = config;
  const { stores, workspaces, clientOptions, metrics, files, ...others } = parts;
  const { jobs, cards, cardLinks, referenceLists, deleteIfUninstalled, now, log } = others;
  const { requests, entries, watches, auditEntries, transact, organizations } = stores;
  const clients = workspaces;
  const gallery =
    publicUrl === undefined
      ? undefined
      : createGalleryLinks({ keys: encryptionKeys, publicUrl, now });

  // What several of the following use.
  const settings = createWorkspaceSettings(entries);
  const channelSettings = createChannelSettings(entries);
  /** Whether people of a workspace can attach files. */
  const formFiles = createFormFilesAccess({ clients, formFiles: files?.forForms, now });
  const people = createPeople(performance, formFiles.note);
  const conversations = createConversations();
  const directMessages = createDirectMessages({ entries, now, log });
  const access = createAccess({ ...stores, ...others, people, settings });
  const outcomes = createOutcomes({ log });
  const workObjects = createWorkObjects({ settings, gallery, cardLinks, now, log });
  const cardViews = createCardViews({ ...stores, ...others, access, people, conversations });
  const unfurls = createUnfurls({ workObjects, now, log });
  const watchedMessages = createWatchedMessages({ transact, now, log });
  const common = { ...others, settings, conversations, access, cardViews, workObjects };

  // The form, and what becomes of its request.
  const lists = createListsForForms(referenceLists, designApi.partnerName);
  const formDefaults = createFormDefaults(entries);
  const unfinishedForms = createUnfinishedForms(stores);
  const stored = { unfinishedForms, requests, formDefaults, formFiles };
  const savedForms = createSavedForms({ ...stored, lists, now, log });
  const posting = createPosting({ conversations, log });
  const forms = { ...others, lists, savedForms, posting, requests, access };
  const filling = createFormFilling(forms);
  const formModals = createFormModals({ ...forms, filling });
  const confirmations = createConfirmations({ ...others, workObjects, directMessages, posting });
  const helpFor = createHelp({ access, cardLinks });
  const steps = createStepRuns({ ...others, clients, requests });

  // What people see and press.
  const data = { ...others, requests, unfinishedForms, watches };
  const homes = createHomes({ ...common, clients, people, data, supportUrl });
  const details = createDetails(common);
  const connecting = { ...others, requests, organizations, transact };
  const connect = createConnect({
    ...common,
    ...{ connecting, organizations, savedForms, filling, homes, directMessages },
  });
  const disconnect = createDisconnect({ connecting, homes, log });
  const settingsModal = createSettingsModal({ ...common, channelSettings, transact, homes });
  const subCommands = createSubCommands({
    ...{ formModals, connect, disconnect, settingsModal, log },
    status: { ...common, requests, helpFor },
    list: { ...common, requests, watches },
    lists: common,
  });
  const routes = createRoutes({
    ...{ connect, disconnect, details, formModals, homes, settingsModal },
    command: createCommand({ subCommands, access, log }),
    unfurl: createUnfurlHandler({
      ...common,
      showing: { ...common, unfurls, watchedMessages },
      entries,
      directMessages,
    }),
    cardButtons: createCardButtons({ ...common, unfurls, details, watchedMessages }),
    watchButtons: createWatchButtons({ ...common, channelSettings, transact }),
    formFromMessage: createFormFromMessage({ formModals, formFiles, log }),
    formChanges: createFormChanges({ ...forms, filling }),
    onFormSubmitted: createFormSubmission({ ...forms, formFiles, outcomes, transact }),
    onFormClosed: savedForms.onClosed,
    onRefreshConfirmation: createRefreshConfirmation({ ...common, requests, confirmations }),
    decisions: createDecisions({ ...others, requests, transact }),
    onAskAdmin: createAskAdmin({ ...common, people, entries, directMessages }),
    presets: createPresets({ lists, formDefaults, access, transact, now, log }),
    recentChanges: createRecentChanges({ auditEntries, organizations }),
    workflowStep: createWorkflowStep({ ...others, lists, requests, runs: steps, transact }),
    removal: createRemoval({ deleteIfUninstalled, organizations, now }),
  });

  const bolt = createBolt({ workspaces, clientOptions, log });
  const isFirstDelivery = createIsFirstDelivery({ entries, now, log });
  listen(bolt, { routes, access, isFirstDelivery, directMessages, homes, outcomes, steps, log });
  const intake = createIntake({ ...parts, bolt, queue: jobs, admit: workspaces.admit });

  const announced = { ...others, clients, homes, confirmations, steps };
  const showOutcome = createShowOutcome({ ...forms, outcomes, settings, channelSettings, helpFor });
  const notes = createNotes({ directMessages, helpFor, log });
  const watching = {
    ...{ ...common, clients, requests, watches, channelSettings, people },
    ...{ homes, confirmations, unfurls, directMessages },
  };
  return {
    intake,
    /** Resolves when nothing is being handled, and no Home tab drawn, or when that takes too long. */
    async finish(): Promise<void> {
      const idle = intake.idle().then(homes.idle);
      await Promise.race([idle, sleep(LAST_INTERACTIONS_MS, undefined, { ref: false })]);
    },
    /** What runs the jobs of Slack's side, and what those of requests and watched cards need of it. */
    forJobs: {
      handlers: {
        [SLACK_JOBS.event]: intake.runStoredEvent,
        [SLACK_JOBS.keyRejected]: keyRejectedHandler({ ...announced, people, directMessages }),
        [SLACK_JOBS.greetInstaller]: greetInstallerHandler({ clients, directMessages }),
        [SLACK_JOBS.stepLimit]: steps.onLimit,
        [SLACK_JOBS.stepFailed]: steps.onFailed,
        [SLACK_JOBS.lostFile]: lostFileHandler({ clients, requests, directMessages, cardLinks }),
        [SLACK_JOBS.completeForm]: filling.retryWith(clients),
      },
      whenGivenUp: { [SLACK_JOBS.event]: steps.onEventGivenUp },
      ofRequests: {
        settings,
        checkAuthor: createAuthorCheck({ clients, people, settings, now }),
        checkFiles: createFilesCheck({ source: files?.source, maxBytes: fileMaxBytes, now }),
        toNewCard: createNewCardWriter({
          ...{ clients, people, conversations },
          fileLinks: files?.links,
          fileFormat: designApi.fileFormat,
        }),
        announcer: createAnnouncer({ ...announced, showOutcome, notes }),
      },
      notifier: {
        show: createShow({ ...watching, inConfirmation: watching, inMessages: watching }),
        tell: createTell({ ...watching, messages: watching }),
      },
    },
    /** The pages of images. */
    routes: gallery
      ? galleryRoutes({
          links: gallery,
          cards,
          settings,
          has: workspaces.has,
          serviceOrigin: new URL(designApi.baseUrl).origin,
          log,
        })
      : {},
  };
}
