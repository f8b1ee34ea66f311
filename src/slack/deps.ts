import type { Config } from '../config/config.ts';
import type { DesignService } from '../design-service.ts';
import { createChannelSettings, createWorkspaceSettings } from '../installations/settings.ts';
import type { OwnerId } from '../installations/workspace-id.ts';
import type { JobQueue } from '../jobs/queue.ts';
import type { Log } from '../ops/logging.ts';
import { createFormDefaults } from '../requests/form-defaults.ts';
import { createUnfinishedForms } from '../requests/unfinished-forms.ts';
import type { Stores } from '../store/stores.ts';
import { createCardButtons } from './card/buttons.ts';
import { createCardViews } from './card/card-view.ts';
import { createUnfurls } from './card/send-unfurls.ts';
import { createUnfurlHandler } from './card/unfurl.ts';
import { createAdminToAsk } from './client/admin-to-ask.ts';
import { createConversations } from './client/conversations.ts';
import { createDirectMessages } from './client/direct-messages.ts';
import { createPeople } from './client/people.ts';
import { createCommand, createSubCommands } from './command/registry.ts';
import { createConnect } from './connect/connect.ts';
import { createAskAdmin } from './connect/connection.ts';
import { createDisconnect } from './connect/disconnect.ts';
import { createFormFilesAccess } from './files/form-files.ts';
import type { OpenFiles } from './files/open-files.ts';
import { createHomes } from './home/homes.ts';
import { createAccess } from './listener/access.ts';
import {
  createConfirmations,
  createPosting,
  createRefreshConfirmation,
} from './request-form/confirmation.ts';
import { createListsForForms } from './request-form/draft.ts';
import { createFormFilling } from './request-form/fill-form.ts';
import { createDecisions } from './request-form/in-doubt.ts';
import { createFormModals } from './request-form/open.ts';
import { createHelp } from './request-form/outcome.ts';
import { createFormChanges } from './request-form/redraw.ts';
import { createFormSubmission } from './request-form/submit.ts';
import { createSavedForms } from './request-form/unfinished.ts';
import { createPresets } from './settings/preset.ts';
import { createRecentChanges } from './settings/recent-changes.ts';
import { createSettingsModal } from './settings/settings.ts';
import { createFormFromMessage } from './shortcuts/from-message.ts';
import { createOutcomes } from './views/update-view.ts';
import { createWatchButtons } from './watching/buttons.ts';
import { createWatchedMessages } from './watching/card-messages.ts';
import { createDetails } from './work-object/details.ts';
import type { GalleryLinks } from './work-object/gallery.ts';
import { createWorkObjects } from './work-object/work-objects.ts';
import { createWorkflowStep } from './workflow-step/create-request.ts';
import { createStepRuns } from './workflow-step/finish-step.ts';
import type { Workspaces } from './workspaces/workspaces.ts';

/** The parts of the app that Slack's side is built on. */
export type BuiltOn = DesignService & {
  stores: Stores;
  workspaces: Workspaces;
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

/** What the handlers of deliveries and jobs need. */
export type SlackDeps = ReturnType<typeof createDeps>;

/** @param gallery undefined if there are no pages of images */
export function createDeps(
  { designApi, supportUrl }: Config,
  on: BuiltOn,
  gallery: GalleryLinks | undefined,
) {
  const { stores, workspaces, files, ...others } = on;
  const { cardLinks, now, log } = others;
  const { requests, entries, watches, auditEntries, transact, organizations } = stores;
  const settings = createWorkspaceSettings(entries);
  const formFiles = createFormFilesAccess({
    clients: workspaces,
    formFiles: files?.forForms,
    now,
  });
  const workObjects = createWorkObjects({ settings, gallery, cardLinks, now, log });
  const people = createPeople();
  const conversations = createConversations();
  const admins = createAdminToAsk({ ...stores, ...others, people });
  const access = createAccess({ people, settings, ...admins });
  const cardViews = createCardViews({ ...stores, ...others, access, people, conversations });
  const directMessages = createDirectMessages({ entries, now, log });
  const unfurls = createUnfurls({ workObjects, now, log });
  const watchedMessages = createWatchedMessages({ transact, now, log });
  const channelSettings = createChannelSettings(entries);
  const common = { ...others, settings, conversations, access, cardViews, workObjects };
  const details = createDetails(common);
  const lists = createListsForForms(others.referenceLists, designApi.partnerName);
  const { partnerName } = lists;
  const formDefaults = createFormDefaults(entries);
  const unfinishedForms = createUnfinishedForms(stores);
  const savedForms = createSavedForms({
    ...others,
    ...{ unfinishedForms, requests, formDefaults, formFiles, lists },
  });
  const posting = createPosting({ conversations, log });
  const forms = { ...others, lists, savedForms, posting, requests, access };
  const filling = createFormFilling(forms);
  const outcomes = createOutcomes({ log });
  const confirmations = createConfirmations({ ...others, workObjects, directMessages, posting });
  const data = { ...others, requests, unfinishedForms, watches };
  const homes = createHomes({ ...common, clients: workspaces, people, data, supportUrl });
  const connecting = { ...others, requests, organizations, transact };
  const formModals = createFormModals({ ...forms, filling });
  const connect = createConnect({
    ...common,
    ...{ connecting, organizations, savedForms, filling, homes, directMessages },
  });
  const disconnect = createDisconnect({ connecting, homes, log });
  const settingsModal = createSettingsModal({ ...common, channelSettings, transact, homes });
  const helpFor = createHelp({ access, cardLinks });
  const subCommands = createSubCommands({
    ...{ formModals, connect, disconnect, settingsModal, log },
    status: { ...common, requests, helpFor },
    list: { ...common, requests, watches },
    lists: common,
  });
  const steps = createStepRuns({ ...others, clients: workspaces, requests });
  return {
    ...others,
    homes,
    settingsModal,
    presets: createPresets({ lists, formDefaults, access, transact, now, log }),
    recentChanges: createRecentChanges({ auditEntries, organizations }),
    connect,
    command: createCommand({ subCommands, access, log }),
    disconnect,
    onAskAdmin: createAskAdmin({ ...common, people, entries, directMessages }),
    ...{ helpFor, steps },
    decisions: createDecisions({ ...others, requests, transact }),
    workflowStep: createWorkflowStep({ ...others, lists, requests, runs: steps, transact }),
    details,
    cardButtons: createCardButtons({ ...common, unfurls, details, watchedMessages }),
    unfurl: createUnfurlHandler({
      ...common,
      showing: { ...common, unfurls, watchedMessages },
      entries,
      directMessages,
    }),
    watchButtons: createWatchButtons({ ...common, channelSettings, transact }),
    ...{ lists, savedForms, posting, filling, confirmations },
    formModals,
    formFromMessage: createFormFromMessage({ formModals, formFiles, log }),
    formChanges: createFormChanges({ ...forms, filling }),
    onFormSubmitted: createFormSubmission({ ...forms, formFiles, outcomes, transact }),
    onRefreshConfirmation: createRefreshConfirmation({
      ...{ requests, settings, cardViews, confirmations },
    }),
    ...{ requests, entries, watches, auditEntries, transact, organizations },
    access,
    clients: workspaces,
    settings,
    channelSettings,
    formDefaults,
    unfinishedForms,
    /** Whether people of a workspace can attach files. */
    formFiles,
    people,
    conversations,
    cardViews,
    directMessages,
    outcomes,
    unfurls,
    workObjects,
    partnerName,
    supportUrl,
  };
}
