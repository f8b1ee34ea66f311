import type { ViewState } from '../block-kit/view-state.ts';
import type { FaultKind } from '../faults.ts';
import type { JsonObject } from '../json.ts';

export interface User {
  id: string;
  name: string;
  realName: string;
  /** What Slack shows instead of the real name; empty until somebody chooses one. */
  displayName: string;
  teamId: string;
  isAdmin: boolean;
  isOwner: boolean;
  isOrgAdmin: boolean;
  isBot: boolean;
  /** 'single' can see one channel, 'multi' several; undefined for members. */
  guest: 'single' | 'multi' | undefined;
  deleted: boolean;
}

export type ChannelKind = 'public' | 'private' | 'im' | 'mpim';

export interface Channel {
  id: string;
  name: string;
  kind: ChannelKind;
  homeId: string;
  sharedWith: string[];
  archived: boolean;
  readOnly: boolean;
  members: Set<string>;
}

export interface Message {
  ts: string;
  /** For example `tombstone`, which is what is left of a deleted message that has replies. */
  subtype?: string;
  channelId: string;
  threadTs: string | undefined;
  userId: string;
  teamId: string;
  botId: string | undefined;
  text: string;
  blocks: JsonObject[];
  attachments: JsonObject[];
  /** As in payloads: `id`, `name`, `permalink`, and so on. */
  files?: JsonObject[];
  /** Work Objects: under links, and those that an app posted. */
  entities: ShownEntity[];
  edited: boolean;
}

export interface ShownEntity {
  entity: JsonObject;
  /** The link that it is shown under; undefined in the app's own message. */
  appUnfurlUrl: string | undefined;
  botId: string;
}

/** A message that only one person sees in a channel. */
export interface Ephemeral {
  ts: string;
  channelId: string;
  threadTs?: string | undefined;
  userId: string;
  workspaceId: string;
  text: string;
  blocks: JsonObject[];
  attachments: JsonObject[];
}

/** What the composer shows under a message that isn't sent yet. */
export interface ComposerPreview {
  unfurlId: string;
  workspaceId: string;
  userId: string;
  links: string[];
  attachments: JsonObject[];
  entities: ShownEntity[];
}

export interface Token {
  token: string;
  workspaceId: string;
  /** Set if it is an organization's: it works in all workspaces that got the app from it. */
  organizationId: string | undefined;
  scopes: string[];
  /** Milliseconds since 1970; undefined for a token that doesn't expire. */
  expiresAt: number | undefined;
  revoked: boolean;
}

/** One run of a function of the app: a step of a workflow, or what lists a step's options. */
export interface Execution {
  id: string;
  workspaceId: string;
  callbackId: string;
  inputs: JsonObject;
  state: 'running' | 'completed' | 'failed';
  outputs: JsonObject;
  error: string;
}

/** For this long, opening the same details again doesn't ask the app. Source: Slack's documentation of Work Objects. */
export const DETAILS_KEPT_MS = 10 * 60_000;

export interface PaneSubject {
  /** The canonical URL of the entity. */
  entityUrl: string;
  /** Missing if it was opened from a search. */
  externalRef: JsonObject | undefined;
  appUnfurlUrl: string | undefined;
  /** Missing outside of messages. */
  place: { channelId: string; ts: string; threadTs: string | undefined } | undefined;
}

export interface Pane extends PaneSubject {
  workspaceId: string;
  userId: string;
  /** Whether the app has been asked and hasn't answered. */
  waiting: boolean;
  /** When the app last answered, in milliseconds since 1970. */
  answeredAt: number | undefined;
  entity: JsonObject | undefined;
  error: JsonObject | undefined;
  /** The page in its frame, or why Slack doesn't show it. */
  embed: { page: string } | { problem: string } | undefined;
  drawn: number;
}

export const paneKey = (pane: Pick<Pane, 'workspaceId' | 'userId' | 'entityUrl'>): string =>
  JSON.stringify([pane.workspaceId, pane.userId, pane.entityUrl]);

export interface OpenView {
  id: string;
  /** The workspace of the installation that opened it. */
  workspaceId: string;
  /** The person's own workspace, which differs in shared channels. */
  teamId: string;
  userId: string;
  hash: string;
  /** The view as the app sent it, with missing block and action IDs filled in. */
  view: JsonObject;
  values: ViewState;
  /** The conversation that the person was in when it opened. */
  channelId: string | undefined;
  /** Slack's own message in the modal, such as that the app couldn't be reached. */
  notice: string | undefined;
  /** The errors under inputs, by block_id. */
  errors: Record<string, string>;
}

export function homeKey(workspaceId: string, userId: string): string {
  return `${workspaceId}:${userId}`;
}

export interface ApiCall {
  method: string;
  args: JsonObject;
  /** The token's workspace; undefined if the call had no known token. */
  workspaceId: string | undefined;
  at: Date;
  /** Real milliseconds until the answer; undefined while in progress, and if there was none. */
  ms?: number;
  status: number;
  /** Undefined while in progress, and if there was none. */
  response: JsonObject | undefined;
  /** The fault that replaced or altered its answer. */
  fault: FaultKind['kind'] | undefined;
}
