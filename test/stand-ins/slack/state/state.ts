import type { EmptyForm } from '../block-kit/view-state.ts';
import type { AppManifest } from '../manifest.ts';
import type { ResponseUrl } from '../response-url-posts.ts';
import type { ChangeFeed } from './changes.ts';
import type { StoredFile } from './files.ts';
import type { Ids } from './ids.ts';
import type {
  Channel,
  ComposerPreview,
  Ephemeral,
  Execution,
  Message,
  OpenView,
  Pane,
  Token,
  User,
} from './model.ts';
import type { Trigger } from './triggers.ts';

/** The app as Slack knows it. */
interface AppIdentity {
  id: string;
  clientId: string;
  clientSecret: string;
  signingSecret: string;
  appToken: string;
  /** The old verification token that payloads still contain. */
  verificationToken: string;
}

export interface WorkspaceRecord {
  id: string;
  name: string;
  domain: string;
  enterpriseId: string | undefined;
  /** Whether the app comes from the organization's installation, not from this workspace's own. */
  orgWideInstall: boolean;
  /** Whether it has the app; an organization's workspaces each get it or not. */
  installed: boolean;
  botUserId: string;
  botId: string;
  /** People of other companies who are visible here through shared channels. */
  strangers: Set<string>;
}

/** Everything the stand-in stores. Read it freely; the functions in this folder change it. */
export interface SlackState {
  clock: () => Date;
  ids: Ids;
  feed: ChangeFeed;
  manifest: AppManifest;
  /** App configuration tokens, and when they expire, in milliseconds since 1970. */
  configTokens: Map<string, number>;
  app: AppIdentity;
  /** Without a trailing slash. */
  origin: string;
  workspaces: Map<string, WorkspaceRecord>;
  /** IDs of the organizations that have installed the app, in however many workspaces. */
  organizationInstalls: Set<string>;
  users: Map<string, User>;
  channels: Map<string, Channel>;
  /** By channel ID, oldest first, including replies. */
  messages: Map<string, Message[]>;
  ephemerals: Ephemeral[];
  files: Map<string, StoredFile>;
  previews: Map<string, ComposerPreview>;
  /** Posted messages by the unfurl_id of their link_shared event. */
  unfurlIds: Map<string, { channelId: string; ts: string }>;
  /** Pictures that Slack fails to download. */
  brokenImages: Set<string>;
  tokens: Map<string, Token>;
  triggers: Map<string, Trigger>;
  responseUrls: Map<string, ResponseUrl>;
  /** Open modals by the ID of the person who sees them, the visible one last. */
  stacks: Map<string, OpenView[]>;
  /** Published home views by `homeKey`. */
  homes: Map<string, OpenView>;
  /** The details of Work Objects that people have opened, by `paneKey`. */
  panes: Map<string, Pane>;
  /** The pane that each person has open, by their ID. */
  openPanes: Map<string, Pane>;
  /** Addresses on the internet that are served on this machine. */
  reachable: Map<string, string>;
  /** Runs of the app's functions by ID, oldest first. */
  executions: Map<string, Execution>;
  /** How the next payload represents an empty field. */
  emptyForm(field: { blockId: string; actionId: string }): EmptyForm;
  /** Whether `view_closed` says what was typed. Slack doesn't document it. */
  closedViewsHaveState: boolean;
}

/** The record with that ID. Throws if it is unknown: drivers pass IDs that they were given. */
export function workspaceOf(state: SlackState, id: string): WorkspaceRecord {
  const workspace = state.workspaces.get(id);
  if (!workspace) throw new Error(`No workspace ${id}`);
  return workspace;
}

/** The person or bot with that ID. Throws if it is unknown. */
export function userOf(state: SlackState, id: string): User {
  const user = state.users.get(id);
  if (!user) throw new Error(`No user ${id}`);
  return user;
}

/** The channel with that ID. Throws if it is unknown. */
export function channelOf(state: SlackState, id: string): Channel {
  const channel = state.channels.get(id);
  if (!channel) throw new Error(`No channel ${id}`);
  return channel;
}

/** The organization that installed the app, for a workspace that has it from there. */
export function installingOrganization(workspace: WorkspaceRecord): string | undefined {
  return workspace.orgWideInstall ? workspace.enterpriseId : undefined;
}
