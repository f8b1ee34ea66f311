import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { CLOCKS_DIFFER_MS } from '../clock.ts';
import type { WorkspaceId } from '../installations/workspace-id.ts';
import { deleteInBatches } from './batches.ts';
import type { Database } from './database.ts';

/** Which card, read by which workspace with which key. */
export type CachedCardKey = { workspaceId: WorkspaceId; fingerprint: string; cardId: string };

type CachedAnswer = { answer: string; readAt: Date };

type TakenCard = CachedAnswer | { lease: string } | 'being_read';

/** A cache of cards that replicas share. Only one of them reads a card at a time. */
export type CardCacheStore = {
  /**
   * @returns an answer that was read no earlier than `since`; otherwise a lease to read the card, or
   *   `being_read` if another replica has the lease
   */
  take(
    key: CachedCardKey,
    options: { since: Date; now: Date; leaseUntil: Date },
  ): Promise<TakenCard>;
  /** Stores an answer and ends the lease, unless the lease was lost. */
  put(key: CachedCardKey, lease: string, kept: CachedAnswer): Promise<void>;
  /** Ends a lease without an answer, so that another replica may try. */
  release(key: CachedCardKey, lease: string): Promise<void>;
  drop(key: CachedCardKey): Promise<void>;
  /** Deletes all cards of a workspace, and makes its leases void. */
  dropAll(workspaceId: WorkspaceId): Promise<void>;
  /** Deletes cards that were read, or leased, before then. @returns how many */
  prune(before: Date): Promise<number>;
};

/** Times beyond this were written before the clocks were set back. */
const ahead = (moment: Date): number => moment.getTime() + CLOCKS_DIFFER_MS;

export function createCardCacheStore(db: Database): CardCacheStore {
  const rowOf = ({ workspaceId, fingerprint, cardId }: CachedCardKey) =>
    ({ workspace_id: workspaceId, fingerprint, card_id: cardId }) as const;

  async function find(
    key: CachedCardKey,
    { since, now }: { since: Date; now: Date },
  ): Promise<CachedAnswer | undefined> {
    const row = await db
      .selectFrom('card_cache')
      .select(['answer', 'read_at'])
      .where((eb) => eb.and(rowOf(key)))
      .where('read_at', '>=', since.getTime())
      .where('read_at', '<=', ahead(now))
      .executeTakeFirst();
    if (!row || row.answer === null || row.read_at === null) return undefined;
    return { answer: row.answer, readAt: new Date(Number(row.read_at)) };
  }

  async function leaseFor(
    key: CachedCardKey,
    { since, now, leaseUntil }: { since: Date; now: Date; leaseUntil: Date },
  ): Promise<string | undefined> {
    const lease = randomUUID();
    const leased = { lease, lease_until: leaseUntil.getTime() };
    const row = await db
      .insertInto('card_cache')
      .values({ ...rowOf(key), ...leased })
      .onConflict((conflict) =>
        conflict
          .columns(['workspace_id', 'fingerprint', 'card_id'])
          .doUpdateSet(leased)
          .where((eb) =>
            eb.or([
              eb('card_cache.lease_until', '<=', now.getTime()),
              eb('card_cache.lease_until', '>', ahead(leaseUntil)),
            ]),
          )
          // Another replica may have read it since `find`.
          .where((eb) =>
            eb.or([
              eb('card_cache.read_at', 'is', null),
              eb('card_cache.read_at', '<', since.getTime()),
              eb('card_cache.read_at', '>', ahead(now)),
            ]),
          ),
      )
      .returning('lease')
      .executeTakeFirst();
    return row && lease;
  }

  const held = (key: CachedCardKey, lease: string) =>
    db
      .updateTable('card_cache')
      .where((eb) => eb.and(rowOf(key)))
      .where('lease', '=', lease);

  return {
    async take(key, options) {
      const kept = await find(key, options);
      if (kept) return kept;
      const lease = await leaseFor(key, options);
      return lease === undefined ? 'being_read' : { lease };
    },

    async put(key, lease, { answer, readAt }) {
      await held(key, lease)
        .set({ answer, read_at: readAt.getTime(), lease: null, lease_until: 0 })
        .execute();
    },

    async release(key, lease) {
      await held(key, lease).set({ lease: null, lease_until: 0 }).execute();
    },

    async drop(key) {
      await db
        .deleteFrom('card_cache')
        .where((eb) => eb.and(rowOf(key)))
        .execute();
    },

    async dropAll(workspaceId) {
      await db.deleteFrom('card_cache').where('workspace_id', '=', workspaceId).execute();
    },

    async prune(before) {
      const moment = before.getTime();
      const isOld = sql`read_at < ${moment} and lease_until < ${moment} order by read_at`;
      const isAbandoned = sql`read_at is null and lease_until < ${moment}`;
      return (
        (await deleteInBatches(db, 'card_cache', isOld)) +
        (await deleteInBatches(db, 'card_cache', isAbandoned))
      );
    },
  };
}
