import type { EncryptionKey } from '../config.ts';
import { type ApiKeyStore, createApiKeyStore } from './api-keys.ts';
import { type BudgetTable, createBudgetStore } from './budgets.ts';
import { type CardCacheStore, createCardCacheStore } from './card-cache.ts';
import { type ChannelBrandStore, createChannelBrandStore } from './channel-brands.ts';
import type { Database } from './database.ts';
import { createHintStore, type HintStore } from './hints.ts';
import { createInstallStateStore, type InstallStateStore } from './install-states.ts';
import { createInstallationStore, type InstallationStore } from './installations.ts';
import { createInteractionStore, type InteractionStore } from './interactions.ts';
import { createJobArrivals } from './job-arrivals.ts';
import { createJobStore, type JobStore } from './jobs.ts';
import {
  createOrganisationWorkspaceStore,
  type OrganisationWorkspaceStore,
} from './organisation-workspaces.ts';
import { createRequestStore, type RequestStore } from './requests.ts';
import { createSealedBox } from './sealed-box.ts';
import { createTransact, type Transact } from './transact.ts';
import { createWorkspaceRows, type WorkspaceRows } from './workspace-rows.ts';
import { createWorkspaceSettingsStore, type WorkspaceSettingsStore } from './workspace-settings.ts';

/** Everything that the app remembers, by what it is. */
export type Stores = {
  keys: ApiKeyStore;
  requests: RequestStore;
  channelBrands: ChannelBrandStore;
  hints: HintStore;
  settings: WorkspaceSettingsStore;
  interactions: InteractionStore;
  jobTable: JobStore;
  transact: Transact;
  budgets: BudgetTable;
  installations: InstallationStore;
  organisations: OrganisationWorkspaceStore;
  installStates: InstallStateStore;
  cardCache: CardCacheStore;
  rows: WorkspaceRows;
};

export function createStores(db: Database, encryptionKeys: readonly EncryptionKey[]): Stores {
  const arrivals = createJobArrivals();
  const box = createSealedBox(encryptionKeys);
  return {
    keys: createApiKeyStore(db, box),
    requests: createRequestStore(db),
    channelBrands: createChannelBrandStore(db),
    hints: createHintStore(db),
    settings: createWorkspaceSettingsStore(db),
    interactions: createInteractionStore(db),
    jobTable: createJobStore(db, arrivals),
    transact: createTransact(db, arrivals),
    budgets: createBudgetStore(db),
    cardCache: createCardCacheStore(db),
    installations: createInstallationStore(db, box),
    organisations: createOrganisationWorkspaceStore(db),
    installStates: createInstallStateStore(db),
    rows: createWorkspaceRows(db),
  };
}
