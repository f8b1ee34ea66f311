import { expressionBuilder, sql } from 'kysely';
import type { Database } from './database.ts';
import type { Schema } from './schema.ts';

export type ReplicaStore = ReturnType<typeof createReplicaStore>;

/** The current time in ms since 1970. Unlike now(), clock_timestamp() goes on within a transaction. */
export const databaseNow = sql<Date>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/** The time of Postgres: the clocks of replicas may differ. */
export async function databaseTime(db: Database): Promise<Date> {
  const row = await db.selectNoFrom(databaseNow.as('readAt')).executeTakeFirstOrThrow();
  return row.readAt;
}

const aliveFor = (ms: number) => sql<Date>`${databaseNow} + ${sql.lit(ms)}`;

/** Selects the live replica whose ID is in a column. */
export const aliveReplica = (column: 'jobs.claimedBy') =>
  expressionBuilder<Schema, 'jobs'>()
    .selectFrom('replicas')
    .select('replicas.id')
    .whereRef('replicas.id', '=', column)
    .where('replicas.aliveUntil', '>', databaseNow);

/**
 * The leases of the processes that share the database, by the database's clock, since theirs may differ. Only
 * on Postgres: SQLite is used by one process at a time.
 *
 * @param processId identifies this process among those that share the database
 */
export function createReplicaStore(db: Database, processId: string) {
  return {
    /** Acquires or renews this process's lease. */
    async renew(forMs: number) {
      const aliveUntil = aliveFor(forMs);
      await db
        .insertInto('replicas')
        .values({ id: processId, aliveUntil })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ aliveUntil }))
        .execute();
    },

    /** Ends this process's lease, so that others can reclaim its jobs immediately. */
    async leave() {
      await db.deleteFrom('replicas').where('id', '=', processId).execute();
    },

    /**
     * Deletes expired leases. One that lasts longer than any lease should was renewed before the database's
     * clock was set back; it is shortened to a full lease.
     *
     * @param forMs as in `renew`
     * @returns how many were deleted. Of several replicas that call this, only one counts each
     */
    async deleteExpired(forMs: number) {
      await db
        .updateTable('replicas')
        .set({ aliveUntil: aliveFor(forMs) })
        .where('aliveUntil', '>', aliveFor(forMs))
        .execute();
      const dead = await db
        .deleteFrom('replicas')
        .where('aliveUntil', '<=', databaseNow)
        .returning('id')
        .execute();
      return dead.length;
    },
  };
}
