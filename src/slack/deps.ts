import type { EffectiveKeys } from '../installations/effective-keys.ts';
import type { ChannelSettingsStore, WorkspaceSettingsStore } from '../installations/settings.ts';
import type { OwnerId } from '../installations/workspace-id.ts';
import type { JobQueue } from '../jobs/queue.ts';
import type { Log } from '../ops/logging.ts';
import type { FormDefaults } from '../requests/form-defaults.ts';
import type { UnfinishedForms } from '../requests/unfinished-forms.ts';
import type { CardReader } from '../service/cache/card-reader.ts';
import type { ReferenceLists } from '../service/cache/reference-lists.ts';
import type { CardLinks } from '../service/card-links.ts';
import type { ServiceAccess } from '../service/service-access.ts';
import type { AuditEntryStore } from '../store/audit-entries.ts';
import type { Entries } from '../store/entries.ts';
import type { OrganizationWorkspaceStore } from '../store/organization-workspaces.ts';
import type { RequestStore } from '../store/requests.ts';
import type { Transact } from '../store/transact.ts';
import type { WatchStore } from '../store/watches.ts';
import type { IncompleteMessages } from './card/posted-links.ts';
import type { UnfurlLimit } from './card/unfurl-limit.ts';
import type { FindAdminToAsk, KnownAdminToAsk } from './client/admin-to-ask.ts';
import type { Conversations } from './client/conversations.ts';
import type { DirectMessages } from './client/direct-messages.ts';
import type { People } from './client/people.ts';
import type { FormFilesAccess } from './files/form-files.ts';
import type { Homes } from './home/homes.ts';
import type { Outcomes } from './views/update-view.ts';
import type { WorkObjects } from './work-object/work-objects.ts';

/** The dependencies of all handlers. Each takes those it needs with `Pick`. */
export type SlackDeps = {
  keys: EffectiveKeys;
  requests: RequestStore;
  formDefaults: FormDefaults;
  unfinishedForms: UnfinishedForms;
  entries: Entries;
  watches: WatchStore;
  settings: WorkspaceSettingsStore;
  auditEntries: Pick<AuditEntryStore, 'list'>;
  channelSettings: ChannelSettingsStore;
  jobs: JobQueue;
  transact: Transact;
  service: ServiceAccess;
  referenceLists: ReferenceLists;
  cards: CardReader;
  cardLinks: CardLinks;
  unfurlLimit: UnfurlLimit;
  incompleteMessages: IncompleteMessages;
  workObjects: WorkObjects;
  people: People;
  adminToAsk: FindAdminToAsk;
  knownAdminToAsk: KnownAdminToAsk;
  conversations: Conversations;
  directMessages: DirectMessages;
  outcomes: Outcomes;
  homes: Homes;
  organizations: OrganizationWorkspaceStore;
  /**
   * Deletes all data of a workspace or organization, if it has uninstalled the app.
   *
   * @param at when Slack reported the uninstall
   */
  deleteIfUninstalled: (id: OwnerId, at?: Date) => Promise<void>;
  /** Whether people of a workspace can attach files. */
  formFiles: FormFilesAccess;
  partnerName: string | undefined;
  now: () => Date;
  log: Log;
};
