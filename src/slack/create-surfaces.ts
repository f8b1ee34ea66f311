import type { WebClientOptions } from '@slack/web-api';
import type { Config } from '../config/config.ts';
import type { DesignService } from '../design-service.ts';
import { createConnecting } from '../installations/connect-key.ts';
import { createWorkspaceSettings } from '../installations/settings.ts';
import type { OwnerId } from '../installations/workspace-id.ts';
import type { JobQueue } from '../jobs/queue.ts';
import type { Log } from '../ops/logging.ts';
import type { Metrics } from '../ops/metrics/metrics.ts';
import { createFormDefaults } from '../requests/form-defaults.ts';
import { createUnfinishedForms } from '../requests/unfinished-forms.ts';
import type { Stores } from '../store/stores.ts';
import { createWatching } from '../watching/begin-watching.ts';
import { createCardButtons } from './card/buttons.ts';
import { createCardMessages } from './card/card-messages.ts';
import { createCardViews } from './card/card-view.ts';
import { createDetails } from './card/details.ts';
import { createGalleryLinks, galleryRoutes } from './card/gallery.ts';
import { createUnfurlHandler } from './card/unfurl.ts';
import { createWatchNotifier } from './card/watch-notifier.ts';
import { createConversations } from './client/conversations.ts';
import { createDirectMessages } from './client/direct-messages.ts';
import { createPeople } from './client/people.ts';
import { createCommand } from './command/command.ts';
import { createListCommands } from './command/reference-lists.ts';
import { createList, createStatus } from './command/requests.ts';
import { createHomes } from './home/homes.ts';
import { createAccess } from './interaction/access.ts';
import { SLACK_JOBS } from './interaction/jobs.ts';
import { createOutcomes } from './interaction/views.ts';
import { createAnnouncer } from './request-form/announce.ts';
import { createConfirmations } from './request-form/confirmation.ts';
import { createFormModals } from './request-form/form-modals.ts';
import { createForms } from './request-form/forms.ts';
import { createDecisions } from './request-form/in-doubt.ts';
import { createOpenForms } from './request-form/open-forms.ts';
import { createPreparation } from './request-form/prepare-card.ts';
import { createFileDownloads, lostFileHandler } from './request-form/slack-files.ts';
import { createConnect } from './settings/connect.ts';
import { createPresets } from './settings/preset.ts';
import { createRecentChanges } from './settings/recent-changes.ts';
import { createSettingsModal } from './settings/settings.ts';
import { createTellAdmins } from './settings/tell-admins.ts';
import { createFormFromMessage } from './shortcuts/from-message.ts';
import { createWorkflowStep } from './workflow-step/create-request.ts';
import { createRemoval, greetInstallerHandler } from './workspaces/configured-workspaces.ts';
import type { Workspaces } from './workspaces/workspaces.ts';

/** The parts of the app that Slack's side is built on. */
export type AppParts = DesignService & {
  stores: Stores;
  workspaces: Workspaces;
  clientOptions: WebClientOptions;
  metrics: Metrics;
  jobs: JobQueue;
  /** Deletes all data of an owner that uninstalled the app. @param at when Slack reported that */
  deleteIfUninstalled: (id: OwnerId, at?: Date) => Promise<void>;
  now: () => Date;
  log: Log;
};

/** What handles the things that people and Slack can do. */
export type Surfaces = ReturnType<typeof createSurfaces>['surfaces'];

/** Builds everything that people see and use in Slack. */
export function createSurfaces(config: Config, parts: AppParts) {
  const { supportUrl, publicUrl } = config;
  const { stores, workspaces, jobs, now, log } = parts;
  const { keys, service, cards, referenceLists, deleteIfUninstalled } = parts;
  const { requests, entries, watches, auditEntries, transact } = stores;
  const { installations, organizations } = stores;
  const clients = workspaces;

  // People and conversations, and who may do what.
  const settings = createWorkspaceSettings(entries);
  const { has } = workspaces;
  const files = createFileDownloads(config, { clients, has, requests, jobs, now, log });
  const fileLimits = files?.forForms;
  const people = createPeople();
  const conversations = createConversations({ settings, log });
  const directMessages = createDirectMessages({ entries, now, log });
  const access = createAccess({ keys, installations, organizations, people, settings, log });
  const outcomes = createOutcomes({ log });

  // Where cards are shown.
  const gallery = publicUrl
    ? createGalleryLinks({ keys: config.encryptionKeys, publicUrl, now })
    : undefined;
  const cardViews = createCardViews({
    cards,
    referenceLists,
    requests,
    watches,
    people,
    conversations,
    access,
    now,
  });
  const cardMessages = createCardMessages({ settings, gallery, now, log });
  const show = { cards, cardViews, cardMessages };
  const details = createDetails({ ...show, access, conversations, log });
  const watching = createWatching({ transact, now, log });

  // The form.
  const formDefaults = createFormDefaults(entries);
  const unfinishedForms = createUnfinishedForms({ entries, requests });
  const forms = createForms({
    unfinishedForms,
    requests,
    formDefaults,
    referenceLists,
    people,
    fileLimits,
    conversations,
    now,
    log,
  });
  const openForms = createOpenForms({
    clients,
    referenceLists,
    forms,
    access,
    outcomes,
    jobs,
    transact,
    now,
    log,
  });
  const formModals = createFormModals({
    referenceLists,
    forms,
    openForms,
    requests,
    cards,
    access,
    log,
  });

  // What becomes of a request.
  const confirmations = createConfirmations({
    requests,
    cards,
    cardViews,
    cardMessages,
    directMessages,
    conversations,
    now,
    log,
  });
  const workflowStep = createWorkflowStep({
    clients,
    requests,
    referenceLists,
    jobs,
    cards,
    transact,
    now,
    log,
  });

  // The Home tab, settings, and commands.
  const homes = createHomes({
    clients,
    access,
    requests,
    keys,
    unfinishedForms,
    watches,
    cards,
    supportUrl,
    now,
    log,
  });
  const connecting = createConnecting({
    keys,
    service,
    referenceLists,
    cards,
    requests,
    organizations,
    transact,
    now,
  });
  const settingsModal = createSettingsModal({
    settings,
    keys,
    service,
    homes,
    transact,
    now,
    log,
  });
  const connect = createConnect({
    connecting,
    settings,
    settingsModal,
    forms,
    openForms,
    homes,
    directMessages,
    log,
  });
  const tellAdmins = createTellAdmins({
    keys,
    access,
    people,
    entries,
    directMessages,
    homes,
    clients,
    now,
    log,
  });
  const surfaces = {
    command: createCommand({
      formModals,
      connect,
      settingsModal,
      status: createStatus({ requests, cards, cardViews, access }),
      list: createList({ requests, watches, cards, now }),
      lists: createListCommands(referenceLists),
      access,
      log,
    }),
    onLinksShared: createUnfurlHandler({
      ...show,
      settings,
      watching,
      entries,
      access,
      directMessages,
      now,
      log,
    }),
    onDetailsRequested: details.open,
    cardButtons: createCardButtons({
      ...show,
      settings,
      conversations,
      service,
      access,
      details,
      watching,
    }),
    homes,
    formModals,
    formFromMessage: createFormFromMessage({ formModals, fileLimits, now, log }),
    openForms,
    onFormClosed: forms.onClosed,
    onRefreshConfirmation: confirmations.onRefresh,
    decisions: createDecisions({ requests, transact, cards, now }),
    connect,
    onAskAdmin: tellAdmins.onAsk,
    settingsModal,
    presets: createPresets({ referenceLists, formDefaults, access, transact, now, log }),
    recentChanges: createRecentChanges(auditEntries, organizations),
    workflowStep,
    removal: createRemoval(deleteIfUninstalled, organizations, now),
  };

  const announcer = createAnnouncer({
    clients,
    directMessages,
    settings,
    homes,
    referenceLists,
    forms,
    outcomes,
    access,
    cards,
    confirmations,
    workflowStep,
    log,
  });

  return {
    surfaces,
    /** What is done around each of them. */
    forListeners: { access, directMessages, homes, outcomes, steps: workflowStep },
    /** The handlers of this side's own jobs, and what the jobs of requests and of watched cards need from it. */
    forJobs: {
      handlers: {
        [SLACK_JOBS.keyRejected]: tellAdmins.onKeyRejected,
        [SLACK_JOBS.greetInstaller]: greetInstallerHandler(clients, directMessages),
        [SLACK_JOBS.stepLimit]: workflowStep.onLimit,
        [SLACK_JOBS.stepFailed]: workflowStep.onFailed,
        [SLACK_JOBS.lostFile]: lostFileHandler({ clients, requests, directMessages, cards }),
        [SLACK_JOBS.completeForm]: openForms.retry,
      },
      giveUpHandlers: { [SLACK_JOBS.event]: workflowStep.onEventGivenUp },
      ofRequests: {
        settings,
        ...createPreparation({ clients, people, conversations, settings, files, config, now }),
        announcer,
      },
      notifier: createWatchNotifier({
        ...show,
        settings,
        clients,
        people,
        requests,
        watches,
        jobs,
        homes,
        confirmations,
        conversations,
        directMessages,
        now,
        log,
      }),
    },
    /** The files of requests, and the web pages with a card's images. */
    routes: {
      ...files?.routes,
      ...(gallery &&
        galleryRoutes({
          links: gallery,
          cards,
          settings,
          hasApp: has,
          log,
          serviceOrigin: new URL(config.designApi.baseUrl).origin,
        })),
    },
  };
}
