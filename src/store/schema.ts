import type { ColumnType, Generated } from 'kysely';
import type { OrganizationId, OwnerId, WorkspaceId } from '../installations/workspace-id.ts';
import type { AuditedAction } from './audit-entries.ts';

/** Since 1970, so that both databases compare times alike. */
type Milliseconds = number;
/** SQLite has no booleans. */
type Flag = 0 | 1;
type Json = string;

/**
 * The API key of a workspace, or of an organization for its workspaces. The row stays after a disconnect, so
 * that DESIGN_API_KEY doesn't connect it again.
 */
type ApiKeysTable = {
  workspace_id: OwnerId;
  state: 'active' | 'rejected' | 'disconnected';
  sealed_key: string | null;
  last_four: string | null;
  /** Identifies the key without revealing it. */
  fingerprint: string | null;
  connected_by: string | null;
  changed_at: Milliseconds;
};

export type RequestsTable = {
  id: string;
  reference: string;
  workspace_id: WorkspaceId;
  user_id: string;
  form: Json;
  state: string;
  problem: Json | null;
  /** Incremented with every change. */
  revision: number;
  attempts: number;
  card_id: string | null;
  view_id: string | null;
  /** The claim of the job that sent it most recently (`claimOf` in jobs.ts). */
  sent_by: string | null;
  message_channel: string | null;
  message_ts: string | null;
  announced_revision: number;
  created_at: Milliseconds;
  updated_at: Milliseconds;
};

/** Work to do after the acknowledgment, and again after a crash. */
export type JobsTable = {
  id: ColumnType<number, never, never>;
  kind: string;
  workspace_id: WorkspaceId;
  /** Unique if not null, so that a repeated delivery is the same job. */
  identity: string | null;
  payload: Json;
  state: 'ready' | 'running' | 'done' | 'failed';
  /** 1 if a person waits for it. */
  priority: Flag;
  run_at: Milliseconds;
  attempts: number;
  /** How many times in a row the process crashed while it ran. */
  crashes: Generated<number>;
  /** Incremented with every claim; only the newest claim may finish the job. */
  fence: number;
  /** The process with the newest claim. */
  claimed_by: string | null;
  created_at: Milliseconds;
  finished_at: Milliseconds | null;
};

/** The processes that share a Postgres database. */
type ReplicasTable = {
  id: string;
  /** When its lease expires, by the database's clock. */
  alive_until: Milliseconds;
};

/** Small values (entries.ts). */
type EntriesTable = {
  /** Empty for what belongs to the whole app. */
  workspace_id: OwnerId;
  kind: string;
  name: string;
  changed_at: Milliseconds;
  expires_at: Milliseconds | null;
  value: Json;
};

/** Who changed what. The owner is an organization if it was the organization's key. */
type AuditEntriesTable = {
  id: string;
  workspace_id: OwnerId;
  what: AuditedAction;
  /** Null for whoever runs the app. */
  done_by: string | null;
  details: Json;
  done_at: Milliseconds;
};

/** The calls that one API key may make, shared by all processes and workspaces with the key. */
export type BudgetsTable = {
  fingerprint: string;
  budget: Json;
  /** Incremented with every change, for compare-and-swap. */
  revision: number;
  changed_at: Milliseconds;
};

/**
 * An installation in a workspace, or in an organization for its workspaces (then `workspace_id` is the
 * organization's). Without a token if that is in SLACK_BOT_TOKEN.
 */
export type InstallationsTable = {
  workspace_id: OwnerId;
  sealed_token: string | null;
  /** Only with token rotation; the token then expires. */
  sealed_refresh_token: string | null;
  expires_at: Milliseconds | null;
  bot_id: string | null;
  bot_user_id: string | null;
  /** Separated by commas. */
  scopes: string | null;
  installed_by: string | null;
  installed_at: Milliseconds;
  /** Changes with every installation and every renewed token. */
  version: string;
  /** A process is exchanging the refresh token, or has failed to: no other one tries until then. */
  refreshing_until: Milliseconds | null;
};

/** Workspaces that have the app through their organization. */
type OrganizationWorkspacesTable = {
  workspace_id: WorkspaceId;
  organization_id: OrganizationId;
  since: Milliseconds;
};

/** Cards whose changes people want to hear about. */
export type WatchedCardsTable = {
  workspace_id: WorkspaceId;
  card_id: string;
  watch_id: string;
  request_id: string | null;
  told: Json | null;
  /** Incremented with every change, for compare-and-swap. */
  revision: number;
  changed_at: Milliseconds;
  told_at: Milliseconds | null;
  unreadable_since: Milliseconds | null;
};

/** Who is told about the changes of a watched card, and in which thread; in a direct message if null. */
type CardWatchersTable = {
  workspace_id: WorkspaceId;
  card_id: string;
  user_id: string;
  channel_id: string | null;
  thread_ts: string | null;
  since: Milliseconds;
};

/** Messages that show a watched card. */
type CardMessagesTable = {
  workspace_id: WorkspaceId;
  card_id: string;
  channel_id: string;
  message_ts: string;
  shown: Json;
  shown_at: Milliseconds;
};

export type Schema = {
  api_keys: ApiKeysTable;
  requests: RequestsTable;
  jobs: JobsTable;
  replicas: ReplicasTable;
  entries: EntriesTable;
  audit_entries: AuditEntriesTable;
  budgets: BudgetsTable;
  installations: InstallationsTable;
  organization_workspaces: OrganizationWorkspacesTable;
  watched_cards: WatchedCardsTable;
  card_watchers: CardWatchersTable;
  card_messages: CardMessagesTable;
};
