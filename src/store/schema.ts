import type { ColumnType, Generated, Selectable } from 'kysely';
import type { OrganizationId, OwnerId, WorkspaceId } from '../installations/workspace-id.ts';
import type { AuditedAction } from './audit-entries.ts';

/** Null in the database. */
type Optional<T> = ColumnType<T | undefined, T | null | undefined, T | null | undefined>;
/** SQLite has no booleans. */
type Flag = 0 | 1;
type Json = string;

/** The tables, as `migrations/` creates them. */
export type Schema = {
  /**
   * The API key of a workspace, or of an organization for its workspaces. The row stays after a disconnect, so
   * that DESIGN_API_KEY doesn't connect it again.
   */
  api_keys: {
    workspaceId: OwnerId;
    state: 'active' | 'rejected' | 'disconnected';
    sealedKey: Optional<string>;
    lastFour: Optional<string>;
    fingerprint: Optional<string>;
    connectedBy: Optional<string>;
    changedAt: Date;
  };
  requests: {
    id: string;
    reference: string;
    workspaceId: WorkspaceId;
    userId: string;
    form: Json;
    state: string;
    problem: Optional<Json>;
    /** Incremented with every change, as in other tables: for compare-and-swap. */
    revision: number;
    attempts: number;
    cardId: Optional<string>;
    viewId: Optional<string>;
    /** The claim of the job that sent it most recently (`claimOf` in jobs.ts). */
    sentBy: Optional<string>;
    message: Optional<Json>;
    announcedRevision: number;
    createdAt: Date;
    updatedAt: Date;
  };
  jobs: {
    id: ColumnType<number, never, never>;
    kind: string;
    workspaceId: WorkspaceId;
    /** Unique if not null, so that a repeated delivery is the same job. */
    identity: Optional<string>;
    payload: Json;
    state: 'ready' | 'running' | 'done' | 'failed';
    /** 1 if a person waits for it. */
    priority: Flag;
    runAt: Date;
    attempts: Generated<number>;
    /** How many times in a row the process crashed while it ran. */
    crashes: Generated<number>;
    /** Incremented with every claim; only the newest claim may finish the job. */
    fence: Generated<number>;
    /** The process with the newest claim. */
    claimedBy: Optional<string>;
    createdAt: Date;
    finishedAt: Optional<Date>;
  };
  /** The processes that share a Postgres database. */
  replicas: {
    id: string;
    /** When its lease expires, by the database's clock. */
    aliveUntil: Date;
  };
  entries: {
    /** Empty for what belongs to the whole app. */
    workspaceId: OwnerId;
    kind: string;
    name: string;
    changedAt: Date;
    expiresAt: Optional<Date>;
    value: Json;
  };
  /** The owner is an organization if it was the organization's key. */
  audit_entries: {
    id: string;
    workspaceId: OwnerId;
    what: AuditedAction;
    /** Null for whoever runs the app. */
    doneBy: Optional<string>;
    details: Json;
    doneAt: Date;
  };
  /** The calls that one API key may make, shared by all processes and workspaces with the key. */
  budgets: {
    fingerprint: string;
    budget: Json;
    revision: number;
    changedAt: Date;
  };
  /**
   * An installation in a workspace, or in an organization for its workspaces (then `workspace_id` is the
   * organization's). Without a token if that is in SLACK_BOT_TOKEN.
   */
  installations: {
    workspaceId: OwnerId;
    sealedToken: Optional<string>;
    /** Only with token rotation; the token then expires. */
    sealedRefreshToken: Optional<string>;
    expiresAt: Optional<Date>;
    botId: Optional<string>;
    botUserId: Optional<string>;
    /** Separated by commas. */
    scopes: Optional<string>;
    installedBy: Optional<string>;
    installedAt: Date;
    /** Changes with every installation and every renewed token. */
    version: string;
    /** A process has claimed the exchange of the refresh token: no other one tries until then. */
    refreshingUntil: Optional<Date>;
  };
  /** Workspaces that have the app through their organization. */
  organization_workspaces: {
    workspaceId: WorkspaceId;
    organizationId: OrganizationId;
    memberSince: Date;
  };
  /** Cards whose changes people want to hear about. */
  watched_cards: {
    workspaceId: WorkspaceId;
    cardId: string;
    /** Identifies this watch: a card may be watched again after it ended. */
    watchId: string;
    /** The request that the card was created from, whose confirmation is kept current. */
    requestId: Optional<string>;
    told: Optional<Json>;
    revision: number;
    /** When the card last changed, or when someone began to watch it. */
    changedAt: Date;
    toldAt: Optional<Date>;
    /** Since when the service has refused to show it. */
    unreadableSince: Optional<Date>;
  };
  /** Who is told about the changes of a watched card, and in which thread; in a direct message if null. */
  card_watchers: {
    workspaceId: WorkspaceId;
    cardId: string;
    userId: string;
    channel: Optional<string>;
    ts: Optional<string>;
    watchingSince: Date;
  };
};

export type Row<Table extends keyof Schema> = Selectable<Schema[Table]>;
