import type { EmptyForm } from '../block-kit/empty-value.ts';
import type { AppManifest } from '../manifest.ts';
import type { ChangeFeed } from './changes.ts';
import type { Ids } from './ids.ts';
import type { Channel, ComposerPreview, Ephemeral, Message, Token, User } from './model.ts';
import type { ResponseUrl } from './response-urls.ts';
import type { Trigger } from './triggers.ts';
import type { OpenView } from './views.ts';

/** The app as Slack knows it. */
interface AppIdentity {
  id: string;
  clientId: string;
  clientSecret: string;
  signingSecret: string;
  appToken: string;
  /** The old verification token that payloads still carry. */
  verificationToken: string;
}

export interface WorkspaceRecord {
  id: string;
  name: string;
  domain: string;
  enterpriseId: string | undefined;
  /** The app comes by the organisation's install, not by one of this workspace alone. */
  orgWideInstall: boolean;
  /** The app is there; of an organisation's workspaces, each is given it or not. */
  installed: boolean;
  botUserId: string;
  botId: string;
  /** People of other companies that are seen here through shared channels. */
  strangers: Set<string>;
}

/** Everything that the stand-in remembers. Read it freely; the functions beside it change it. */
export interface SlackState {
  clock: () => Date;
  ids: Ids;
  feed: ChangeFeed;
  manifest: AppManifest;
  app: AppIdentity;
  /** Without a final slash. */
  origin: string;
  workspaces: Map<string, WorkspaceRecord>;
  /** Ids of the organisations that have the app installed, in however many workspaces. */
  organisationInstalls: Set<string>;
  users: Map<string, User>;
  channels: Map<string, Channel>;
  /** By channel id, oldest first, replies among them. */
  messages: Map<string, Message[]>;
  ephemerals: Ephemeral[];
  previews: Map<string, ComposerPreview>;
  /** Posted messages by the unfurl_id of their link_shared event. */
  unfurlIds: Map<string, { channelId: string; ts: string }>;
  /** Pictures that Slack shall fail to download. */
  brokenImages: Set<string>;
  tokens: Map<string, Token>;
  triggers: Map<string, Trigger>;
  responseUrls: Map<string, ResponseUrl>;
  /** Modals by the id of the person whose screen they are on, the visible one last. */
  stacks: Map<string, OpenView[]>;
  /** Published home views by `homeKey`. */
  homes: Map<string, OpenView>;
  /** How the next payload writes a field that holds nothing. */
  emptyForm(field: { blockId: string; actionId: string }): EmptyForm;
}

/** The record of that id. Throws where it is unknown: drivers pass ids that they were given. */
export function workspaceOf(state: SlackState, id: string): WorkspaceRecord {
  const workspace = state.workspaces.get(id);
  if (!workspace) throw new Error(`No workspace ${id}`);
  return workspace;
}

/** The person or bot of that id. Throws where it is unknown. */
export function userOf(state: SlackState, id: string): User {
  const user = state.users.get(id);
  if (!user) throw new Error(`No user ${id}`);
  return user;
}

/** The channel of that id. Throws where it is unknown. */
export function channelOf(state: SlackState, id: string): Channel {
  const channel = state.channels.get(id);
  if (!channel) throw new Error(`No channel ${id}`);
  return channel;
}

/** The organisation that the app is installed by, for a workspace that has it from there. */
export function installingOrganisation(workspace: WorkspaceRecord): string | undefined {
  return workspace.orgWideInstall ? workspace.enterpriseId : undefined;
}
