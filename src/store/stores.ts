import { randomUUID } from 'node:crypto';
import type { EncryptionKey } from '../config/keyring.ts';
import type { Log } from '../ops/logging.ts';
import { type AnswerCacheStore, createAnswerCacheStore } from './answer-cache.ts';
import { type ApiKeyStore, createApiKeyStore, sealedApiKeys } from './api-keys.ts';
import { type AuditEntryStore, createAuditEntryStore } from './audit-entries.ts';
import { type Backlog, createBacklog } from './backlog.ts';
import { sealedTokens } from './bot-tokens.ts';
import { type BudgetTable, createBudgetStore } from './budgets.ts';
import type { Database } from './database.ts';
import { createKeyring, type Keyring } from './encryption/keyring.ts';
import { createSealedBox } from './encryption/sealed-box.ts';
import { createEntries, type Entries } from './entries.ts';
import { createInstallationStore, type InstallationStore } from './installations.ts';
import { createJobNotifications } from './job-notifications.ts';
import { createJobStore, type JobStore } from './jobs.ts';
import {
  createOrganizationWorkspaceStore,
  type OrganizationWorkspaceStore,
} from './organization-workspaces.ts';
import { createReplicaStore, type ReplicaStore } from './replicas.ts';
import { createRequestStore, type RequestStore } from './requests.ts';
import { createRowReader } from './row-reader.ts';
import { createTransact, type Transact } from './transact.ts';
import { createWatchStore, type WatchStore } from './watches.ts';
import { createWorkspaceRows, type WorkspaceRows } from './workspace-rows.ts';
import { createWorkspacesInUse, type WorkspacesInUse } from './workspaces-in-use.ts';

/** All data of the app. */
export type Stores = {
  keys: ApiKeyStore;
  keyring: Keyring;
  requests: RequestStore;
  entries: Entries;
  auditEntries: AuditEntryStore;
  jobTable: JobStore;
  transact: Transact;
  budgets: BudgetTable;
  installations: InstallationStore;
  organizations: OrganizationWorkspaceStore;
  cardCache: AnswerCacheStore;
  listCache: AnswerCacheStore;
  watches: WatchStore;
  replicas: ReplicaStore;
  rows: WorkspaceRows;
  inUse: WorkspacesInUse;
  backlog: Backlog;
};

/**
 * Each call creates the stores of one process, with its own process ID.
 *
 * @param log for rows that can't be read
 */
export function createStores(
  db: Database,
  encryptionKeys: readonly EncryptionKey[],
  log?: Pick<Log, 'error'>,
): Stores {
  const read = createRowReader(log);
  const processId = randomUUID();
  const notifications = createJobNotifications();
  const box = createSealedBox(encryptionKeys);
  return {
    keys: createApiKeyStore(db, box),
    keyring: createKeyring(box, [sealedApiKeys(db), ...sealedTokens(db)]),
    requests: createRequestStore(db, read),
    entries: createEntries(db, read),
    auditEntries: createAuditEntryStore(db, read),
    jobTable: createJobStore(db, { notifications, processId, read }),
    transact: createTransact(db, { notifications, box, read }),
    budgets: createBudgetStore(db),
    cardCache: createAnswerCacheStore(db, 'card_cache'),
    listCache: createAnswerCacheStore(db, 'list_cache'),
    watches: createWatchStore(db, read),
    installations: createInstallationStore(db, box),
    organizations: createOrganizationWorkspaceStore(db),
    replicas: createReplicaStore(db, processId),
    rows: createWorkspaceRows(db),
    inUse: createWorkspacesInUse(db),
    backlog: createBacklog(db),
  };
}
