import { sql } from 'kysely';
import type { Database } from '../../../src/store/database.ts';
import { fillJobs, fillRequests, fillSmallRows, numbered } from '../../store/plans/large-tables.ts';

const MINUTE_MS = 60_000;
/** Of so many jobs, one waits, one has failed, one is running; the others are done. */
const ONE_WAITS_IN = 49;
const ONE_FAILED_IN = 20_001;
const ONE_RUNS_IN = 300_007;

export type Size = { installations: number; jobs: number; others: number };

/**
 * Fills a migrated, empty Postgres database: the workspaces `T0`, `T1`, … have the app and a key each, and every other
 * table has rows of all of them.
 *
 * @param now jobs are due, and were done, in the hours before it
 */
export async function fillPostgres(db: Database, { installations, jobs, others }: Size, now: Date) {
  const moment = sql.lit(now.getTime());
  const workspaceId = sql<string>`'T' || (i % ${sql.lit(installations)})`;
  await sql`insert into installations (workspace_id, sealed_token, bot_id, bot_user_id, scopes, installed_by,
      installed_at, version)
    ${numbered(installations)} select ${workspaceId}, repeat('token', 80), 'B1', 'U1', 'commands', 'U2',
      ${moment} - i, 'v' || i from numbers`.execute(db);
  await sql`insert into api_keys (workspace_id, state, sealed_key, last_four, fingerprint, connected_by, changed_at)
    ${numbered(installations)} select ${workspaceId}, 'active', repeat('key', 80), '1234', 'f' || i, 'U2',
      ${moment} - i from numbers`.execute(db);
  await sql`insert into budgets (fingerprint, budget, revision, changed_at)
    ${numbered(installations)} select 'f' || i, '{}', 1, ${moment} - i from numbers`.execute(db);
  // One row for each millisecond since then.
  const since = (count: number) => new Date(now.getTime() - count - MINUTE_MS);
  await withoutIndexes(db, 'jobs', () =>
    fillJobs(db, {
      ...{ count: jobs, workspaceId, at: since(jobs) },
      state: sql`case when i % ${sql.lit(ONE_RUNS_IN)} = 0 then 'running'
        when i % ${sql.lit(ONE_FAILED_IN)} = 0 then 'failed'
        when i % ${sql.lit(ONE_WAITS_IN)} = 0 then 'ready' else 'done' end`,
    }),
  );
  await fillRequests(db, {
    ...{ count: others, workspaceId, at: since(others) },
    state: sql`case when i % 5000 = 0 then 'queued' when i % 5000 = 1 then 'in_doubt' else 'created' end`,
  });
  await sql`update requests set card_id = 'card-' || substr(id, 9) where state = 'created'`.execute(
    db,
  );
  await fillSmallRows(db, { count: others, workspaceId, at: since(others) });
  await sql`vacuum analyze`.execute(db);
}

/** Filling a table and then adding its indexes takes a third of the time. */
async function withoutIndexes(db: Database, table: string, fill: () => Promise<void>) {
  const { rows } = await sql<{ indexname: string; indexdef: string }>`
    select indexname, indexdef from pg_indexes where tablename = ${table} and indexdef not like '%UNIQUE%'`.execute(
    db,
  );
  for (const { indexname } of rows) await sql`drop index ${sql.table(indexname)}`.execute(db);
  await fill();
  for (const { indexdef } of rows) await sql.raw(indexdef).execute(db);
}
