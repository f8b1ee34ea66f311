import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from './database.ts';

export type ReplicaStore = ReturnType<typeof createReplicaStore>;

/** In ms since 1970. Unlike now(), clock_timestamp() goes on within a transaction. */
export const databaseNow = sql<Date>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/** The time of Postgres: the clocks of replicas may differ. */
export async function databaseTime(db: Database): Promise<Date> {
  const row = await db.selectNoFrom(databaseNow.as('readAt')).executeTakeFirstOrThrow();
  return row.readAt;
}

export const isAlive = (id: RawBuilder<unknown>) =>
  sql<SqlBool>`exists (select 1 from replicas where replicas.id = ${id} and alive_until > ${databaseNow})`;

/** Leases of processes that share a Postgres database, by its clock, since theirs may differ. */
export function createReplicaStore(db: Database, processId: string) {
  return {
    async renew(forMs: number) {
      const aliveUntil = sql<Date>`${databaseNow} + ${sql.lit(forMs)}`;
      await db
        .insertInto('replicas')
        .values({ id: processId, aliveUntil })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ aliveUntil }))
        .execute();
    },

    /** Others can then reclaim its jobs immediately. */
    async leave() {
      await db.deleteFrom('replicas').where('id', '=', processId).execute();
    },

    /** @returns how many were deleted: only one of the replicas that call this counts each */
    async deleteExpired() {
      const dead = db.deleteFrom('replicas').where('aliveUntil', '<=', databaseNow);
      return Number((await dead.executeTakeFirst()).numDeletedRows);
    },
  };
}
