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
  /** Admin of the organization that the workspace belongs to. */
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
  /** The workspace that created the channel. */
  homeId: string;
  /** Other companies' workspaces that share it. */
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
  /** Set if an app posted it. */
  botId: string | undefined;
  text: string;
  blocks: JsonObject[];
  attachments: JsonObject[];
  /** As in payloads: `id`, `name`, `permalink`, and so on. */
  files?: JsonObject[];
  metadata: JsonObject | undefined;
  /** Work Objects: under links, and those that an app posted. */
  entities: ShownEntity[];
  edited: boolean;
}

/** A Work Object in a message, as the app sent it. */
export interface ShownEntity {
  entity: JsonObject;
  /** The link that it is shown under; undefined in the app's own message. */
  appUnfurlUrl: string | undefined;
  /** The app's bot that sent it. */
  botId: string;
}

/** A message that only one person sees in a channel. */
export interface Ephemeral {
  ts: string;
  channelId: string;
  /** The message to which it is a reply. */
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
