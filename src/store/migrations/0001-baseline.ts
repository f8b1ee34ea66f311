import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { engineOf } from '../engine.ts';

/**
 * The tables of 0.3.0. `schema.ts` says what they contain; times are in ms since 1970.
 *
 * Indexes of what still has to be done are partial, so they stay small however much is kept. They hold every column of
 * the statements that use them most.
 */
const STATEMENTS = [
  `create table api_keys (
    workspace_id text primary key,
    state text not null,
    sealed_key text,
    last_four text,
    fingerprint text,
    connected_by text,
    changed_at bigint not null
  )`,

  `create table requests (
    id text primary key,
    reference text not null unique,
    workspace_id text not null,
    user_id text not null,
    form text not null,
    state text not null,
    problem text,
    revision integer not null,
    attempts integer not null,
    card_id text,
    view_id text,
    sent_by text,
    message text,
    announced_revision integer not null,
    created_at bigint not null,
    updated_at bigint not null
  )`,
  'create index requests_by_author on requests (workspace_id, user_id, created_at)',
  'create index requests_by_state on requests (workspace_id, state, created_at, id)',
  `create index requests_by_card on requests (workspace_id, card_id) where card_id is not null`,
  `create index requests_unfinished on requests (state, created_at, id)
    where state in ('queued', 'sending', 'waiting_for_key', 'in_doubt')`,
  `create index requests_unannounced on requests (created_at, id)
    where announced_revision < revision and state not in ('queued', 'sending')`,
  `create index requests_settled on requests (updated_at)
    where state in ('created', 'rejected', 'discarded')`,

  `create table jobs (
    id JOB_ID,
    kind text not null,
    workspace_id text not null,
    identity text unique,
    payload text not null,
    state text not null,
    priority integer not null,
    run_at bigint not null,
    attempts integer not null default 0,
    crashes integer not null default 0,
    fence integer not null default 0,
    claimed_by text,
    created_at bigint not null,
    finished_at bigint
  )`,
  `create index jobs_to_claim on jobs (priority, run_at, id, workspace_id, kind)
    where state = 'ready'`,
  `create index jobs_running on jobs (claimed_by) where state = 'running'`,
  `create index jobs_failed on jobs (id) where state = 'failed'`,
  `create index jobs_finished on jobs (finished_at) where finished_at is not null`,
  'create index jobs_of_workspace on jobs (workspace_id)',

  'create table replicas (id text primary key, alive_until bigint not null)',

  `create table entries (
    workspace_id text not null,
    kind text not null,
    name text BYTES not null,
    changed_at bigint not null,
    expires_at bigint,
    value text not null,
    primary key (workspace_id, kind, name)
  )`,
  'create index entries_by_expiry on entries (expires_at) where expires_at is not null',

  `create table budgets (
    fingerprint text primary key,
    budget text not null,
    revision bigint not null,
    changed_at bigint not null
  )`,

  `create table installations (
    workspace_id text primary key,
    sealed_token text,
    sealed_refresh_token text,
    expires_at bigint,
    bot_id text,
    bot_user_id text,
    scopes text,
    installed_by text,
    installed_at bigint not null,
    version text not null,
    refreshing_until bigint
  )`,
  'create index installations_to_refresh on installations (expires_at)',
  `create table organization_workspaces (
    workspace_id text primary key,
    organization_id text not null,
    member_since bigint not null
  )`,
  'create index workspaces_of_organization on organization_workspaces (organization_id)',

  `create table watched_cards (
    workspace_id text not null,
    card_id text not null,
    watch_id text not null,
    request_id text,
    told text,
    revision integer not null,
    changed_at bigint not null,
    told_at bigint,
    unreadable_since bigint,
    primary key (workspace_id, card_id)
  )`,
  'create index watched_cards_by_age on watched_cards (changed_at)',
  'create index watched_cards_by_request on watched_cards (request_id)',
  `create table card_watchers (
    workspace_id text not null,
    card_id text not null,
    user_id text not null,
    channel text,
    ts text,
    watching_since bigint not null,
    primary key (workspace_id, card_id, user_id)
  )`,
  'create index card_watchers_by_person on card_watchers (workspace_id, user_id, watching_since)',

  `create table audit_entries (
    id text primary key,
    workspace_id text not null,
    what text not null,
    done_by text,
    details text not null,
    done_at bigint not null
  )`,
  'create index audit_entries_of_a_workspace on audit_entries (workspace_id, done_at, id)',
  'create index audit_entries_by_age on audit_entries (done_at)',
];

/** Where the databases differ. */
const WORDS = {
  sqlite: { JOB_ID: 'integer primary key autoincrement', BYTES: 'collate binary' },
  postgres: {
    JOB_ID: 'bigint generated by default as identity primary key',
    BYTES: 'collate "C"',
  },
};

export const baseline: Migration = {
  async up(db: Kysely<unknown>) {
    const { JOB_ID, BYTES } = WORDS[engineOf(db)];
    for (const statement of STATEMENTS) {
      const text = statement.replace('JOB_ID', JOB_ID).replace('BYTES', BYTES);
      await sql.raw(text).execute(db);
    }
  },
};
