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
  workspaceId: OwnerId;
  state: 'active' | 'rejected' | 'disconnected';
  sealedKey: string | null;
  lastFour: string | null;
  /** Identifies the key without revealing it. */
  fingerprint: string | null;
  connectedBy: string | null;
  changedAt: Milliseconds;
};

export type RequestsTable = {
  id: string;
  reference: string;
  workspaceId: WorkspaceId;
  userId: string;
  form: Json;
  state: string;
  problem: Json | null;
  /** Incremented with every change. */
  revision: number;
  attempts: number;
  cardId: string | null;
  viewId: string | null;
  /** The claim of the job that sent it most recently (`claimOf` in jobs.ts). */
  sentBy: string | null;
  messageChannel: string | null;
  messageTs: string | null;
  announcedRevision: number;
  createdAt: Milliseconds;
  updatedAt: Milliseconds;
};

/** Work to do after the acknowledgment, and again after a crash. */
export type JobsTable = {
  id: ColumnType<number, never, never>;
  kind: string;
  workspaceId: WorkspaceId;
  /** Unique if not null, so that a repeated delivery is the same job. */
  identity: string | null;
  payload: Json;
  state: 'ready' | 'running' | 'done' | 'failed';
  /** 1 if a person waits for it. */
  priority: Flag;
  runAt: Milliseconds;
  attempts: number;
  /** How many times in a row the process crashed while it ran. */
  crashes: Generated<number>;
  /** Incremented with every claim; only the newest claim may finish the job. */
  fence: number;
  /** The process with the newest claim. */
  claimedBy: string | null;
  createdAt: Milliseconds;
  finishedAt: Milliseconds | null;
};

/** The processes that share a Postgres database. */
type ReplicasTable = {
  id: string;
  /** When its lease expires, by the database's clock. */
  aliveUntil: Milliseconds;
};

/** Small values (entries.ts). */
type EntriesTable = {
  /** Empty for what belongs to the whole app. */
  workspaceId: OwnerId;
  kind: string;
  name: string;
  changedAt: Milliseconds;
  expiresAt: Milliseconds | null;
  value: Json;
};

/** Who changed what. The owner is an organization if it was the organization's key. */
type AuditEntriesTable = {
  id: string;
  workspaceId: OwnerId;
  what: AuditedAction;
  /** Null for whoever runs the app. */
  doneBy: string | null;
  details: Json;
  doneAt: Milliseconds;
};

/** The calls that one API key may make, shared by all processes and workspaces with the key. */
export type BudgetsTable = {
  fingerprint: string;
  budget: Json;
  /** Incremented with every change, for compare-and-swap. */
  revision: number;
  changedAt: Milliseconds;
};

/**
 * An installation in a workspace, or in an organization for its workspaces (then `workspace_id` is the
 * organization's). Without a token if that is in SLACK_BOT_TOKEN.
 */
export type InstallationsTable = {
  workspaceId: OwnerId;
  sealedToken: string | null;
  /** Only with token rotation; the token then expires. */
  sealedRefreshToken: string | null;
  expiresAt: Milliseconds | null;
  botId: string | null;
  botUserId: string | null;
  /** Separated by commas. */
  scopes: string | null;
  installedBy: string | null;
  installedAt: Milliseconds;
  /** Changes with every installation and every renewed token. */
  version: string;
  /** A process is exchanging the refresh token, or has failed to: no other one tries until then. */
  refreshingUntil: Milliseconds | null;
};

/** Workspaces that have the app through their organization. */
type OrganizationWorkspacesTable = {
  workspaceId: WorkspaceId;
  organizationId: OrganizationId;
  since: Milliseconds;
};

/** Cards whose changes people want to hear about. */
export type WatchedCardsTable = {
  workspaceId: WorkspaceId;
  cardId: string;
  watchId: string;
  requestId: string | null;
  told: Json | null;
  /** Incremented with every change, for compare-and-swap. */
  revision: number;
  changedAt: Milliseconds;
  toldAt: Milliseconds | null;
  unreadableSince: Milliseconds | null;
};

/** Who is told about the changes of a watched card, and in which thread; in a direct message if null. */
type CardWatchersTable = {
  workspaceId: WorkspaceId;
  cardId: string;
  userId: string;
  channelId: string | null;
  threadTs: string | null;
  since: Milliseconds;
};

/** Messages that show a watched card. */
type CardMessagesTable = {
  workspaceId: WorkspaceId;
  cardId: string;
  channelId: string;
  messageTs: string;
  shown: Json;
  shownAt: Milliseconds;
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
