import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Schema } from '../../../src/store/tables.ts';

/** Whom a row belongs to and its time, as SQL over its number `i`, starting at 1. */
type Rows = { count: number; workspaceId: RawBuilder<string>; at: Date };

/** The numbers from 1 on, as the table `numbers` of the query that follows. */
const numbered = (count: number) => sql`
  with recursive numbers(i) as (select 1 union all select i + 1 from numbers where i < ${sql.lit(count)})`;

/** A few hundred characters, like a form or an event. */
const TEXT = 'A banner for the spring sale, with the new logo and the dates. '.repeat(5);

/** Fills the table of jobs. @param state of row number `i` */
export async function fillJobs(
  db: Kysely<Schema>,
  { count, workspaceId, at, state }: Rows & { state: RawBuilder<string> },
): Promise<void> {
  const moment = at.getTime();
  await sql`insert into jobs (kind, workspace_id, identity, payload, state, priority, run_at,
      claimed_by, created_at, finished_at)
    ${numbered(count)}
    select 'slack-event', ${workspaceId}, 'event/' || i, ${sql.lit(JSON.stringify({ text: TEXT }))},
      ${state}, case when i % 5 = 0 then 1 else 0 end, ${sql.lit(moment)} + i,
      'replica', ${sql.lit(moment)},
      case when ${state} in ('done', 'failed') then ${sql.lit(moment)} + i end
    from numbers`.execute(db);
}

/** Fills the table of requests, all announced to their authors. @param state as for jobs */
export async function fillRequests(
  db: Kysely<Schema>,
  { count, workspaceId, at, state }: Rows & { state: RawBuilder<string> },
): Promise<void> {
  const moment = at.getTime();
  const form = JSON.stringify({
    title: TEXT,
    requestType: { id: 'type-social', name: 'Social media' },
    product: 'Graphics',
    description: { type: 'rich_text', elements: [] },
    dimensions: '1 × 1',
    software: 'Figma',
    formats: ['PNG'],
    isDraft: false,
  });
  await sql`insert into requests (id, reference, workspace_id, user_id, form, state, revision, attempts,
      announced_revision, created_at, updated_at)
    ${numbered(count)}
    select 'request-' || i, 'DR-' || i, ${workspaceId}, 'U' || (i % 100), ${sql.lit(form)}, ${state},
      2, 1, 2, ${sql.lit(moment)} + i, ${sql.lit(moment)} + i
    from numbers`.execute(db);
}

/** Most requests are watched no longer, and will be deleted. */
const REQUESTS_PER_WATCH = 10;

/** Fills the tables of small rows that grow with every person, channel, card, and button press. */
async function fillSmallRows(db: Kysely<Schema>, { count, workspaceId, at }: Rows): Promise<void> {
  const moment = sql.lit(at.getTime());
  const rows: Record<string, RawBuilder<unknown>> = {
    entries: sql`(workspace_id, kind, name, changed_at, expires_at, value)
      ${numbered(count)} select ${workspaceId}, 'for_tests', 'U' || i, ${moment} + i, ${moment} + i, 'true' from numbers`,
    audit_entries: sql`(id, workspace_id, what, done_by, details, done_at)
      ${numbered(count)} select ${workspaceId} || i, ${workspaceId}, 'settings_changed', 'U1', '{"changes":[]}', ${moment} + i from numbers`,
    watched_cards: sql`(workspace_id, card_id, watch_id, request_id, told, revision, changed_at)
      ${numbered(count)} select ${workspaceId}, 'card-' || i, 'w' || i, 'request-' || (i * ${sql.lit(REQUESTS_PER_WATCH)}), '{}', 1, ${moment} + i from numbers`,
    card_watchers: sql`(workspace_id, card_id, user_id, watching_since)
      ${numbered(count)} select ${workspaceId}, 'card-' || (i / 2), 'U' || i, ${moment} from numbers`,
  };
  for (const [table, values] of Object.entries(rows)) {
    await sql`insert into ${sql.table(table)} ${values}`.execute(db);
  }
}

const WORKSPACES = 200;
/** The workspaces that have the app; the last ones don't. */
const INSTALLED = 190;

/** Fills every growing table with as many rows of 200 workspaces, `T0` to `T199`. */
export async function fillLargeDatabase(
  db: Kysely<Schema>,
  at: Date,
  count: number,
): Promise<void> {
  const rows = { count, workspaceId: sql<string>`'T' || (i % ${sql.lit(WORKSPACES)})`, at };
  await fillJobs(db, {
    ...rows,
    state: sql`case when i % 5000 = 0 then 'running' when i % 2 = 0 then 'done' else 'ready' end`,
  });
  await fillRequests(db, {
    ...rows,
    state: sql`case i % 50 when 0 then 'queued' when 1 then 'sending' when 2 then 'waiting_for_key'
      when 3 then 'in_doubt' when 4 then 'rejected' when 5 then 'discarded' else 'created' end`,
  });
  await sql`update requests set announced_revision = 1 where created_at % 1000 = 7`.execute(db);
  await fillSmallRows(db, rows);
  await sql`insert into installations (workspace_id, installed_at, version, expires_at)
    ${numbered(INSTALLED)} select 'T' || (i - 1), 0, 'version', i from numbers`.execute(db);
}
