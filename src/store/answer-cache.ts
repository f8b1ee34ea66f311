import { randomUUID } from 'node:crypto';
import { type SqlBool, sql } from 'kysely';
import { CLOCKS_DIFFER_MS } from '../clock.ts';
import type { WorkspaceId } from '../installations/workspace-id.ts';
import { deleteInBatches } from './batches.ts';
import type { Database } from './database.ts';

/** What was read (a card's ID, or the name of a list), by which workspace, with which key. */
export type AnswerKey = { workspaceId: WorkspaceId; fingerprint: string; id: string };

type StoredAnswer = { answer: string; readAt: Date };

type TakenAnswer = StoredAnswer | { lease: string } | 'being_read';

/**
 * A cache of the service's answers that replicas share. Only one of them reads the same thing at a time.
 */
export type AnswerCacheStore = {
  /**
   * @param options.leaseUntil in the past if there are no other replicas to wait for
   * @returns an answer that was read no earlier than `since`; otherwise a lease to read it, or `being_read` if
   *   another replica has the lease
   */
  take(key: AnswerKey, options: { since: Date; now: Date; leaseUntil: Date }): Promise<TakenAnswer>;
  /** The stored answer, however old. */
  peek(key: AnswerKey, now: Date): Promise<StoredAnswer | undefined>;
  /** Stores an answer and ends the lease, unless the lease was lost. */
  put(key: AnswerKey, lease: string, kept: StoredAnswer): Promise<void>;
  /** Ends a lease without an answer, so that another replica may try. */
  release(key: AnswerKey, lease: string): Promise<void>;
  drop(key: AnswerKey): Promise<void>;
  /** Deletes all answers of a workspace, and makes its leases void. */
  dropAll(workspaceId: WorkspaceId): Promise<void>;
  /** Deletes answers that were read, or leased, before then. @returns how many */
  prune(before: Date): Promise<number>;
};

/** Tables of the same shape, with the column that holds the ID. */
const ID_COLUMNS = { card_cache: 'card_id', list_cache: 'list' } as const;

/** Times beyond this were written before the clocks were set back. */
const ahead = (moment: Date): number => moment.getTime() + CLOCKS_DIFFER_MS;

const BEGINNING = new Date(0);

export function createAnswerCacheStore(
  db: Database,
  tableName: keyof typeof ID_COLUMNS,
): AnswerCacheStore {
  const table = sql.table(tableName);
  const idColumn = sql.ref(ID_COLUMNS[tableName]);
  const isOf = ({ workspaceId, fingerprint, id }: AnswerKey) =>
    sql<SqlBool>`workspace_id = ${workspaceId} and fingerprint = ${fingerprint} and ${idColumn} = ${id}`;

  async function find(
    key: AnswerKey,
    { since, now }: { since: Date; now: Date },
  ): Promise<StoredAnswer | undefined> {
    const { rows } = await sql<{ answer: string | null; read_at: number }>`select answer, read_at
      from ${table} where ${isOf(key)}
        and read_at >= ${since.getTime()} and read_at <= ${ahead(now)}`.execute(db);
    const [row] = rows;
    if (!row || row.answer === null) return undefined;
    return { answer: row.answer, readAt: new Date(row.read_at) };
  }

  async function leaseFor(
    { workspaceId, fingerprint, id }: AnswerKey,
    { since, now, leaseUntil }: { since: Date; now: Date; leaseUntil: Date },
  ): Promise<string | undefined> {
    const lease = randomUUID();
    // Another replica may have read it since `find`.
    const { rows } = await sql`insert into ${table}
      (workspace_id, fingerprint, ${idColumn}, lease, lease_until)
      values (${workspaceId}, ${fingerprint}, ${id}, ${lease}, ${leaseUntil.getTime()})
      on conflict (workspace_id, fingerprint, ${idColumn})
      do update set lease = excluded.lease, lease_until = excluded.lease_until
      where (${table}.lease_until <= ${now.getTime()} or ${table}.lease_until > ${ahead(leaseUntil)})
        and (${table}.read_at is null or ${table}.read_at < ${since.getTime()}
          or ${table}.read_at > ${ahead(now)})
      returning lease`.execute(db);
    return rows.length > 0 ? lease : undefined;
  }

  const endLease = (key: AnswerKey, lease: string, kept: StoredAnswer | undefined) =>
    sql`update ${table} set lease = null, lease_until = 0${
      kept ? sql`, answer = ${kept.answer}, read_at = ${kept.readAt.getTime()}` : sql``
    } where ${isOf(key)} and lease = ${lease}`.execute(db);

  return {
    async take(key, options) {
      const kept = await find(key, options);
      if (kept) return kept;
      const lease = await leaseFor(key, options);
      return lease === undefined ? 'being_read' : { lease };
    },

    peek: (key, now) => find(key, { since: BEGINNING, now }),

    async put(key, lease, kept) {
      await endLease(key, lease, kept);
    },

    async release(key, lease) {
      await endLease(key, lease, undefined);
    },

    async drop(key) {
      await sql`delete from ${table} where ${isOf(key)}`.execute(db);
    },

    async dropAll(workspaceId) {
      await sql`delete from ${table} where workspace_id = ${workspaceId}`.execute(db);
    },

    async prune(before) {
      const moment = before.getTime();
      const isOld = sql`read_at < ${moment} and lease_until < ${moment} order by read_at`;
      const isAbandoned = sql`read_at is null and lease_until < ${moment}`;
      return (
        (await deleteInBatches(db, tableName, isOld)) +
        (await deleteInBatches(db, tableName, isAbandoned))
      );
    },
  };
}
