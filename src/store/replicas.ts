import { expressionBuilder, sql } from 'kysely';
import type { Database } from './database.ts';
import type { Schema } from './schema.ts';

/**
 * Which processes share the database and live. By the database's own clock, which is one, however far
 * the clocks of its users are apart. On Postgres only: SQLite takes one process at a time.
 */
export type ReplicaStore = {
  /** Says that this process lives, and will for so long, in ms. */
  beat(forMs: number): Promise<void>;
  /** Says that this process has ended: what it had claimed is free at once. */
  leave(): Promise<void>;
  /**
   * Strikes out those that said nothing in time. One whose word holds for longer than any does has given it
   * before the database's clock was set back: it is given as long again.
   *
   * @param forMs as in `beat`
   * @returns how many; of several who ask, one is told
   */
  deleteExpired(forMs: number): Promise<number>;
};

/** Milliseconds since 1970 by Postgres' clock, also in the middle of a transaction. */
const databaseNow = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

const aliveFor = (ms: number) => sql<number>`${databaseNow} + ${sql.lit(ms)}`;

/** The living replica of the id in a column. */
export const aliveReplica = (column: 'jobs.claimed_by') =>
  expressionBuilder<Schema, 'jobs'>()
    .selectFrom('replicas')
    .select('replicas.id')
    .whereRef('replicas.id', '=', column)
    .where('replicas.alive_until', '>', databaseNow);

/** @param processId names this process among those that share the database */
export function createReplicaStore(db: Database, processId: string): ReplicaStore {
  return {
    async beat(forMs) {
      const alive_until = aliveFor(forMs);
      await db
        .insertInto('replicas')
        .values({ id: processId, alive_until })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ alive_until }))
        .execute();
    },

    async leave() {
      await db.deleteFrom('replicas').where('id', '=', processId).execute();
    },

    async deleteExpired(forMs) {
      await db
        .updateTable('replicas')
        .set({ alive_until: aliveFor(forMs) })
        .where('alive_until', '>', aliveFor(forMs))
        .execute();
      const dead = await db
        .deleteFrom('replicas')
        .where('alive_until', '<=', databaseNow)
        .returning('id')
        .execute();
      return dead.length;
    },
  };
}
