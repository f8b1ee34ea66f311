import type { ColumnType, Generated } from 'kysely';
import type { OrganisationId, OwnerId, WorkspaceId } from '../installations/workspace-id.ts';

/** Moments are stored as milliseconds since 1970, so that both databases order and compare them alike. */
type Milliseconds = number;
/** SQLite has no booleans. */
type Flag = 0 | 1;
type Json = string;

/**
 * One API key of one workspace, or of an organisation for its workspaces. The row stays after a
 * disconnect: it says that somebody decided so.
 */
type ApiKeysTable = {
  workspace_id: OwnerId;
  state: 'active' | 'rejected' | 'disconnected';
  sealed_key: string | null;
  last_four: string | null;
  /** Which key this is, without saying it: names the cache and tells a replaced key from the old one. */
  fingerprint: string | null;
  connected_by: string | null;
  changed_at: Milliseconds;
};

/** What somebody asked for, and how far it is. */
export type RequestsTable = {
  id: string;
  reference: string;
  workspace_id: WorkspaceId;
  user_id: string;
  form: Json;
  state: string;
  problem: Json | null;
  /** Grows with every change: what is shown of a request names the revision that it shows. */
  revision: number;
  attempts: number;
  card_id: string | null;
  view_id: string | null;
  /** The claim of the job that sends it, or sent it last (`claimOf` in jobs.ts). */
  sent_by: string | null;
  message_channel: string | null;
  message_ts: string | null;
  announced_revision: number;
  created_at: Milliseconds;
  updated_at: Milliseconds;
};

/** Work that is done after the acknowledgement, and again after a crash. */
export type JobsTable = {
  id: ColumnType<number, never, never>;
  kind: string;
  workspace_id: WorkspaceId;
  /** What makes a second delivery the same job; unique where given. */
  identity: string | null;
  payload: Json;
  state: 'ready' | 'running' | 'done' | 'failed';
  /** 1 where a person waits for it, 0 where nobody does. */
  priority: Flag;
  run_at: Milliseconds;
  /** When `run_at` was decided; null where an earlier version did. */
  scheduled_at: Milliseconds | null;
  attempts: number;
  /** How often in a row the process ended while it ran. */
  crashes: Generated<number>;
  /** Grows with every claim; only the holder of the newest may finish the job. */
  fence: number;
  /** The process that claimed it last. */
  claimed_by: string | null;
  created_at: Milliseconds;
  finished_at: Milliseconds | null;
};

/** The processes that share a Postgres database. */
type ReplicasTable = {
  id: string;
  /** By the database's clock; later it is taken for dead. */
  alive_until: Milliseconds;
};

/** The brand that was chosen last in a channel. */
type ChannelBrandsTable = {
  workspace_id: WorkspaceId;
  channel_id: string;
  brand_id: string;
  changed_at: Milliseconds;
};

/** The channel in which a person last used the app. */
export type LastChannelsTable = {
  workspace_id: WorkspaceId;
  user_id: string;
  channel_id: string;
  used_at: Milliseconds;
};

/** Hints that a person has had and needs no second time. */
type HintsTable = {
  workspace_id: WorkspaceId;
  user_id: string;
  hint: string;
  given_at: Milliseconds;
};

type WorkspaceSettingsTable = {
  workspace_id: WorkspaceId;
  unfurls: 'full' | 'compact' | 'off';
  share_externally: Flag;
  guests_read: Flag;
  project_id: string | null;
  changed_by: string;
  changed_at: Milliseconds;
};

/** The calls that one API key may make, shared by every process and workspace that uses the key. */
export type BudgetsTable = {
  fingerprint: string;
  call_limit: number;
  /** `second:count`, separated by spaces, oldest first. */
  calls: string;
  left_calls: number | null;
  left_until: Milliseconds | null;
  wait_until: Milliseconds;
  /** Grows with every change; a change names the one that it was made on. */
  revision: number;
  changed_at: Milliseconds;
};

/** What a person did in Slack, so that the same bytes have no second effect. */
export type InteractionsTable = {
  workspace_id: WorkspaceId;
  identity: string;
  taken_at: Milliseconds;
};

/**
 * The app in a workspace, or in an organisation for all of its workspaces (then `workspace_id` is the
 * organisation's). Without a token where that is SLACK_BOT_TOKEN's.
 */
export type InstallationsTable = {
  workspace_id: OwnerId;
  sealed_token: string | null;
  /** With token rotation only, and then the token expires. */
  sealed_refresh_token: string | null;
  expires_at: Milliseconds | null;
  bot_id: string | null;
  bot_user_id: string | null;
  /** Separated by commas, as Slack names them. */
  scopes: string | null;
  installed_by: string | null;
  installed_at: Milliseconds;
  /** Another one with every install and every refreshed token. */
  version: string;
  /** Somebody exchanges the refresh token, or has just failed to: nobody else does until then. */
  refreshing_until: Milliseconds | null;
};

/** Workspaces that have the app through their organisation. */
type OrganisationWorkspacesTable = {
  workspace_id: WorkspaceId;
  organisation_id: OrganisationId;
  since: Milliseconds;
};

/** States of OAuth that came back from Slack, and must not come back again. */
type UsedInstallStatesTable = {
  nonce: string;
  expires_at: Milliseconds;
};

/** What a replica read of a card, or that one is reading it. Used where there are several. */
type CardCacheTable = {
  workspace_id: WorkspaceId;
  /** Of the key that it was read with. */
  fingerprint: string;
  card_id: string;
  answer: Json | null;
  /** When the service was asked. */
  read_at: Milliseconds | null;
  /** Who is reading it, until when. */
  lease: string | null;
  lease_until: Milliseconds;
};

export type Schema = {
  api_keys: ApiKeysTable;
  requests: RequestsTable;
  jobs: JobsTable;
  replicas: ReplicasTable;
  channel_brands: ChannelBrandsTable;
  last_channels: LastChannelsTable;
  hints: HintsTable;
  workspace_settings: WorkspaceSettingsTable;
  budgets: BudgetsTable;
  interactions: InteractionsTable;
  installations: InstallationsTable;
  organisation_workspaces: OrganisationWorkspacesTable;
  used_install_states: UsedInstallStatesTable;
  card_cache: CardCacheTable;
};
