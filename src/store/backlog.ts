import { sql } from 'kysely';
import type { Database } from './database.ts';
import { IS_UNFINISHED, UNFINISHED_STATES } from './requests.ts';

/** How many wait, and when the oldest of them began to; undefined if none waits. */
export type Waiting = { name: string; count: number; oldestAt?: Date };

export type Backlog = ReturnType<typeof createBacklog>;

/** More are not counted, so that no scrape takes long, however much waits. */
const MOST_COUNTED = 10_000;

const due = (priority: number, now: Date) => sql`
  select * from (
    select kind, run_at from jobs
    where state = 'ready' and priority = ${sql.lit(priority)} and run_at <= ${now}
    order by run_at limit ${sql.lit(MOST_COUNTED)}
  ) as oldest_first`;

/** In the whole database, for the metrics. Each statement reads only a part of an index. */
export function createBacklog(db: Database) {
  return {
    /** By state: requests that are neither created nor back with their authors. */
    async openRequests() {
      const { rows } =
        await sql<Waiting>`select state as name, count(*) as count, min(created_at) as oldest_at
        from requests where ${IS_UNFINISHED} group by state`.execute(db);
      const none = UNFINISHED_STATES.map((name): Waiting => ({ name, count: 0 }));
      return none.map((state) => rows.find(({ name }) => name === state.name) ?? state);
    },

    /** Jobs that are due and have not started, by kind, and when the oldest became due. */
    async dueJobs(now: Date) {
      const { rows } =
        await sql<Waiting>`select kind as name, count(*) as count, min(run_at) as oldest_at
        from (${due(1, now)} union all ${due(0, now)}) as due group by kind`.execute(db);
      return rows;
    },
  };
}
