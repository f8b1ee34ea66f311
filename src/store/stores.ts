import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { EncryptionKey } from '../config/keyring.ts';
import type { OwnerId } from '../installations/workspace-id.ts';
import type { Log } from '../ops/logging.ts';
import { type ApiKeyStore, createApiKeyStore } from './api-keys.ts';
import { type AuditEntryStore, createAuditEntryStore } from './audit-entries.ts';
import { createBacklog } from './backlog.ts';
import { createBudgetStore } from './budgets.ts';
import type { Database } from './database.ts';
import { createKeyring } from './encryption/keyring.ts';
import { createSealedBox, type SealErrorReason, type SealedBox } from './encryption/sealed-box.ts';
import { createEntries } from './entries.ts';
import { createInstallationStore } from './installations.ts';
import { type AddedJobs, createJobStore } from './jobs.ts';
import { createOperatorJobs } from './operator-jobs.ts';
import { createOrganizationWorkspaceStore } from './organization-workspaces.ts';
import { createReplicaStore } from './replicas.ts';
import { createRequestStore } from './requests.ts';
import { createRowReader, engineOf, type ReadRow } from './rows.ts';
import { createWatchStore } from './watches.ts';
import { createWorkspaceRows } from './workspace-rows.ts';

export type Stores = ReturnType<typeof createStores>;

/** Each call creates the stores of one process, with its own process ID. */
export function createStores(
  db: Database,
  encryptionKeys: readonly EncryptionKey[],
  log?: Pick<Log, 'error'>,
  onUndecryptable: (reason: SealErrorReason) => void = () => undefined,
) {
  const named = new Set<string>();
  const box = createSealedBox(encryptionKeys, ({ reason, message }, owner) => {
    onUndecryptable(reason);
    if (!named.has(owner))
      log?.error({ owner, reason: message }, 'an API key or token cannot be decrypted');
    named.add(owner);
  });
  const processId = randomUUID();
  const added: AddedJobs = { push: () => undefined };
  const shared = { added, processId, box, read: createRowReader(log) };
  return {
    ...storesOn(db, shared),
    transact: createTransact(db, shared),
    keyring: createKeyring(db, createSealedBox(encryptionKeys)),
    budgets: createBudgetStore(db, shared.read),
    installations: createInstallationStore(db, box),
    organizations: createOrganizationWorkspaceStore(db),
    replicas: createReplicaStore(db, processId),
    rows: createWorkspaceRows(db),
    backlog: createBacklog(db),
  };
}

type Shared = { added: AddedJobs; processId: string; box: SealedBox; read: ReadRow };

/** Stores that work both on a connection and in a transaction. */
function storesOn(db: Database, { added, processId, box, read }: Shared) {
  const entries = createEntries(db, read);
  return {
    keys: createApiKeyStore(db, box),
    requests: createRequestStore(db, read),
    entries,
    auditEntries: createAuditEntryStore(db, read),
    jobTable: createJobStore(db, { added, processId, read }),
    watches: createWatchStore(db, { entries, read }),
  };
}

/** A person, and the workspaces and organizations that their roles are about. */
export type Administrator = { id: string; administers: readonly string[] };

export class NotAdministratorError extends Error {
  override name = 'NotAdministratorError';
}

export type Transact = ReturnType<typeof createTransact>;

/** One transaction, so that a change is never stored without the job that follows. */
function createTransact(db: Database, shared: Shared) {
  /** `work` uses only what it is given, never Slack or the service: it blocks all other writes. */
  return async <Result>(work: (changes: ReturnType<typeof changesIn>) => Promise<Result>) => {
    const added: Date[] = [];
    const result = await db
      .transaction()
      .execute((tx) => work(changesIn(tx, { ...shared, added })));
    for (const runAt of added) shared.added.push(runAt);
    return result;
  };
}

function changesIn(tx: Database, shared: Shared) {
  const { keys, jobTable, ...others } = storesOn(tx, shared);
  return {
    ...others,
    /** Only an admin may save or disconnect one. */
    keys: keys as Omit<ApiKeyStore, 'save' | 'disconnect'>,
    jobs: jobTable,
    operatorJobs: () => createOperatorJobs(tx, shared.read),
    /**
     * What only an admin may change. Until this transaction ends, others who change the same
     * owner's wait, so that they read what it wrote.
     *
     * @throws NotAdministratorError whatever was checked before
     */
    async administer(owner: OwnerId, { id: by, administers }: Administrator) {
      if (!administers.includes(owner))
        throw new NotAdministratorError(`${by} does not administer ${owner}`);
      // SQLite runs one transaction at a time. There may be no row yet that could be locked.
      if (engineOf(tx) === 'postgres')
        await sql`select pg_advisory_xact_lock(hashtextextended(${owner}, 0))`.execute(tx);
      return {
        keys,
        entries: others.entries,
        record: (entry: Omit<Parameters<AuditEntryStore['add']>[1], 'by'>, now: Date) =>
          others.auditEntries.add(owner, { ...entry, by }, now),
      };
    },
  };
}
