import { randomUUID } from 'node:crypto';
import type { EncryptionKey } from '../config/keyring.ts';
import type { Log } from '../ops/logging.ts';
import { createBacklog } from './backlog.ts';
import { createBudgetStore } from './budgets.ts';
import type { Database } from './database.ts';
import { createKeyring } from './encryption/keyring.ts';
import { createSealedBox, SealError, type SealErrorReason } from './encryption/sealed-box.ts';
import { createInstallationStore } from './installations.ts';
import { AddedJobs } from './jobs.ts';
import { createOrganizationWorkspaceStore } from './organization-workspaces.ts';
import { createReplicaStore } from './replicas.ts';
import { createRowReader } from './rows.ts';
import { createTransact, storesOn } from './transact.ts';
import { createWorkspaceRows } from './workspace-rows.ts';

export type Stores = ReturnType<typeof createStores>;

/** Each call creates the stores of one process, with its own process ID. */
export function createStores(
  db: Database,
  encryptionKeys: readonly EncryptionKey[],
  log?: Pick<Log, 'error'>,
  onUndecryptable: (reason: SealErrorReason) => void = () => undefined,
) {
  const processId = randomUUID();
  const box = createSealedBox(encryptionKeys);
  const named = new Set<string>();
  async function open(sealed: string, owner: string): Promise<string> {
    try {
      return await box.open(sealed, owner);
    } catch (error) {
      if (error instanceof SealError) {
        onUndecryptable(error.reason);
        if (!named.has(owner))
          log?.error({ owner, reason: error.message }, 'an API key or token cannot be decrypted');
        named.add(owner);
      }
      throw error;
    }
  }
  const read = createRowReader(log);
  const shared = { added: new AddedJobs(), processId, box: { ...box, open }, read };
  return {
    ...storesOn(db, shared),
    transact: createTransact(db, shared),
    keyring: createKeyring(db, box),
    budgets: createBudgetStore(db, read),
    installations: createInstallationStore(db, shared.box),
    organizations: createOrganizationWorkspaceStore(db),
    replicas: createReplicaStore(db, processId),
    rows: createWorkspaceRows(db),
    backlog: createBacklog(db),
  };
}
