import { type RawBuilder, sql } from 'kysely';
import type { Database } from './database.ts';
import { IS_PENDING } from './requests.ts';

/** How many wait, and since when the oldest one has; undefined if none waits. */
export type Waiting = { name: string; count: number; oldestAt?: Date };

export type Backlog = ReturnType<typeof createBacklog>;

/** More are not counted, so that no scrape takes long, however much waits. */
const MOST_COUNTED = 10_000;

const UNFINISHED = ['queued', 'sending', 'waiting_for_key'] as const;
const URGENCIES = [1, 0] as const;

/** What waits in the whole database, for the metrics. Each statement reads a bounded part of an index. */
export function createBacklog(db: Database) {
  const waiting = async (query: RawBuilder<Waiting>) => (await query.execute(db)).rows;

  /** @param condition that of a partial index, which SQLite needs verbatim */
  const requestsIn = (
    state: string,
    condition: RawBuilder<unknown>,
  ) => sql<Waiting>`select ${sql.lit(state)} as name, count(*) as count, min(created_at) as oldest_at
    from (select created_at from requests where ${condition} order by created_at limit ${MOST_COUNTED}) as oldest_first`;

  const dueOf = (
    priority: number,
    now: Date,
  ) => sql`select kind, run_at from (select kind, run_at from jobs
      where state = 'ready' and priority = ${sql.lit(priority)} and run_at <= ${now}
      order by run_at limit ${MOST_COUNTED}) as oldest_first`;

  const union = (parts: readonly RawBuilder<unknown>[]) => sql.join(parts, sql` union all `);

  return {
    /** Requests that are neither created nor given back to their authors, by state, and when the oldest was made. */
    openRequests: () =>
      waiting(
        sql<Waiting>`${union([
          ...UNFINISHED.map((state) =>
            requestsIn(state, sql`${IS_PENDING} and state = ${sql.lit(state)}`),
          ),
          requestsIn('in_doubt', sql`state = 'in_doubt'`),
        ])}`,
      ),

    /** Jobs that are due and have not started, by kind, and when the oldest became due. */
    dueJobs: (now: Date) =>
      waiting(
        sql<Waiting>`select kind as name, count(*) as count, min(run_at) as oldest_at
          from (${union(URGENCIES.map((priority) => dueOf(priority, now)))}) as due group by kind`,
      ),
  };
}
