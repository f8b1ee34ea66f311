import { sql } from 'kysely';
import type { OwnerId } from '../installations/workspace-id.ts';
import { type ApiKeyStore, createApiKeyStore } from './api-keys.ts';
import { type AuditEntryStore, createAuditEntryStore } from './audit-entries.ts';
import { bringForward } from './bring-forward.ts';
import type { Database } from './database.ts';
import type { SealedBox } from './encryption/sealed-box.ts';
import { engineOf } from './engine.ts';
import { createEntries, type Entries } from './entries.ts';
import { insertJobs, jobRow, type NewJob } from './insert-jobs.ts';
import type { JobNotifications } from './job-notifications.ts';
import type { JobStore } from './jobs.ts';
import { createOperatorJobs } from './operator-jobs.ts';
import { createRequestStore, type RequestStore } from './requests.ts';
import type { ReadRow } from './row-reader.ts';
import { createWatchStore, type WatchStore } from './watches.ts';

/** The stores that can be used in a transaction. */
type Changes = {
  /**
   * What only an admin may change. Others who change the same owner's wait for the end of this transaction, so that they
   * read what it wrote.
   *
   * @throws NotAdministratorError if the person doesn't administer this owner, whatever was checked before
   */
  administer(owner: OwnerId, by: Administrator): Promise<AdminChanges>;
  requests: RequestStore;
  entries: Entries;
  jobs: Pick<JobStore, 'add' | 'bringForward'> & {
    /** Adds several with one statement. @returns for each, in the same order, whether it was added */
    addAll(jobs: readonly NewJob[], now: Date): Promise<boolean[]>;
  } & Pick<ReturnType<typeof createOperatorJobs>, 'retry' | 'drop'>;
  watches: WatchStore;
  keys: Omit<ApiKeyStore, 'save' | 'disconnect'>;
  auditEntries: Pick<AuditEntryStore, 'add'>;
};

/** A person, and the workspaces and organizations that their roles are about. */
export type Administrator = { id: string; administers: readonly string[] };

type AdminChanges = {
  keys: ApiKeyStore;
  entries: Entries;
  /** Adds to the audit trail. */
  record(entry: Omit<Parameters<AuditEntryStore['add']>[1], 'by'>, now: Date): Promise<void>;
};

export class NotAdministratorError extends Error {
  override name = 'NotAdministratorError';
}

/**
 * Makes several changes in one transaction, so that a change is never stored without the job that follows.
 *
 * @param work uses only what it is given, and calls neither Slack nor the service, because it blocks all other
 *   writes. If it throws, nothing is changed
 */
export type Transact = <Result>(work: (changes: Changes) => Promise<Result>) => Promise<Result>;

export function createTransact(
  db: Database,
  { notifications, box, read }: { notifications: JobNotifications; box: SealedBox; read: ReadRow },
): Transact {
  return async (work) => {
    /** When added jobs are to run. */
    const added: Date[] = [];
    const result = await db.transaction().execute((tx) => {
      async function addAll(jobs: readonly NewJob[], now: Date): Promise<boolean[]> {
        const areNew = await insertJobs(
          tx,
          jobs.map((job) => jobRow(job, now)),
        );
        added.push(...jobs.filter((_, index) => areNew[index]).map(({ runAt = now }) => runAt));
        return areNew;
      }
      const auditEntries = createAuditEntryStore(tx, read);
      const entries = createEntries(tx, read);
      const jobs: Changes['jobs'] = {
        ...createOperatorJobs(tx, read),
        async add(job, now) {
          const [isNew = false] = await addAll([job], now);
          return isNew;
        },
        addAll,
        async bringForward(identity, runAt) {
          if (await bringForward(tx, identity, runAt)) added.push(runAt);
        },
      };
      return work({
        async administer(owner, { id: by, administers }) {
          if (!administers.includes(owner)) {
            throw new NotAdministratorError(`${by} does not administer ${owner}`);
          }
          // SQLite runs one transaction at a time. There may be no row yet that could be locked.
          if (engineOf(db) === 'postgres') {
            await sql`select pg_advisory_xact_lock(hashtextextended(${owner}, 0))`.execute(tx);
          }
          return {
            keys: createApiKeyStore(tx, box),
            entries,
            record: (entry, now) => auditEntries.add(owner, { ...entry, by }, now),
          };
        },
        requests: createRequestStore(tx, read),
        entries,
        jobs,
        watches: createWatchStore(tx, read),
        keys: createApiKeyStore(tx, box),
        auditEntries,
      });
    });
    if (added.length > 0) notifications.added(added);
    return result;
  };
}
