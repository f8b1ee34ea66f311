import type { JsonObject } from '../json.ts';

export interface User {
  id: string;
  name: string;
  realName: string;
  teamId: string;
  isAdmin: boolean;
  isOwner: boolean;
  /** Of the organisation that the workspace belongs to. */
  isOrgAdmin: boolean;
  isBot: boolean;
  /** 'single' may see one channel, 'multi' several; undefined for members. */
  guest: 'single' | 'multi' | undefined;
  deleted: boolean;
}

export type ChannelKind = 'public' | 'private' | 'im' | 'mpim';

export interface Channel {
  id: string;
  name: string;
  kind: ChannelKind;
  /** The workspace that made the channel. */
  homeId: string;
  /** Other companies' workspaces that see it too. */
  sharedWith: string[];
  archived: boolean;
  readOnly: boolean;
  members: Set<string>;
}

export interface Message {
  ts: string;
  channelId: string;
  threadTs: string | undefined;
  userId: string;
  teamId: string;
  /** Set where an app posted it. */
  botId: string | undefined;
  text: string;
  blocks: JsonObject[];
  attachments: JsonObject[];
  metadata: JsonObject | undefined;
  edited: boolean;
}

/** What one person alone sees in a channel. */
export interface Ephemeral {
  ts: string;
  channelId: string;
  userId: string;
  workspaceId: string;
  text: string;
  blocks: JsonObject[];
  attachments: JsonObject[];
}

/** What the composer shows under a text that is not sent yet. */
export interface ComposerPreview {
  unfurlId: string;
  workspaceId: string;
  userId: string;
  links: string[];
  attachments: JsonObject[];
}

export interface Token {
  token: string;
  workspaceId: string;
  /** Set where it is an organisation's: it works in all workspaces that got the app from it. */
  organisationId: string | undefined;
  scopes: string[];
  /** Milliseconds since 1970; undefined for a token that does not expire. */
  expiresAt: number | undefined;
  revoked: boolean;
}
