import { createFeed } from '../../change-feed.ts';
import { EMPTY_FORMS, type EmptyForm } from '../block-kit/view-state.ts';
import type { AppManifest } from '../manifest.ts';
import type { ResponseUrl } from '../response-url-posts.ts';
import type { StoredFile } from './files.ts';
import { createIds } from './ids.ts';
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

const SECRET_BYTES = 16;

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
export type SlackState = ReturnType<typeof createState>;

/** @param origin without a trailing slash */
export function createState(manifest: AppManifest, origin: string, clock: () => Date) {
  const ids = createIds(clock);
  let empties = 0;
  return {
    clock,
    ids,
    feed: createFeed<void>(),
    manifest,
    origin,
    /** App configuration tokens, and when they expire, in milliseconds since 1970. */
    configTokens: new Map<string, number>(),
    app: {
      id: 'A00000000',
      clientId: '1000000000.2000000000',
      clientSecret: ids.secret(SECRET_BYTES),
      signingSecret: ids.secret(SECRET_BYTES),
      appToken: `xapp-1-A00000000-${ids.secret(SECRET_BYTES)}`,
      /** The old verification token that payloads still contain. */
      verificationToken: ids.secret(SECRET_BYTES),
    },
    workspaces: new Map<string, WorkspaceRecord>(),
    /** IDs of the organizations that have installed the app, in however many workspaces. */
    organizationInstalls: new Set<string>(),
    users: new Map<string, User>(),
    channels: new Map<string, Channel>(),
    /** By channel ID, oldest first, including replies. */
    messages: new Map<string, Message[]>(),
    ephemerals: [] as Ephemeral[],
    files: new Map<string, StoredFile>(),
    previews: new Map<string, ComposerPreview>(),
    brokenImages: new Set<string>(),
    tokens: new Map<string, Token>(),
    triggers: new Map<string, Trigger>(),
    responseUrls: new Map<string, ResponseUrl>(),
    /** Open modals by the ID of the person who sees them, the visible one last. */
    stacks: new Map<string, OpenView[]>(),
    /** Published home views by `homeKey`. */
    homes: new Map<string, OpenView>(),
    panes: new Map<string, Pane>(),
    /** The pane that each person has open, by their ID. */
    openPanes: new Map<string, Pane>(),
    reachable: new Map<string, string>(),
    executions: new Map<string, Execution>(),
    /** How the next payload represents an empty field: each form in turn, so that code that handles only some soon fails. */
    emptyForm: (_field: { blockId: string; actionId: string }): EmptyForm =>
      EMPTY_FORMS[empties++ % EMPTY_FORMS.length] ?? EMPTY_FORMS[0],
    /** Whether `view_closed` says what was typed. Slack doesn't document it. */
    closedViewsHaveState: true,
  };
}

/** The record with that ID. Throws if it is unknown: drivers pass IDs that they were given. */
export function workspaceOf(state: SlackState, id: string): WorkspaceRecord {
  const workspace = state.workspaces.get(id);
  if (!workspace) throw new Error(`No workspace ${id}`);
  return workspace;
}

export function userOf(state: SlackState, id: string): User {
  const user = state.users.get(id);
  if (!user) throw new Error(`No user ${id}`);
  return user;
}

export function channelOf(state: SlackState, id: string): Channel {
  const channel = state.channels.get(id);
  if (!channel) throw new Error(`No channel ${id}`);
  return channel;
}

/** The organization that installed the app, for a workspace that has it from there. */
export function installingOrganization(workspace: WorkspaceRecord): string | undefined {
  return workspace.orgWideInstall ? workspace.enterpriseId : undefined;
}

/** Whether the installation exists from which a workspace has the app, or can get it. */
export function isInstalled(state: SlackState, workspace: WorkspaceRecord): boolean {
  const organizationId = installingOrganization(workspace);
  return organizationId === undefined
    ? workspace.installed
    : state.organizationInstalls.has(organizationId);
}
