import { appUninstalled, changeAccess } from './events.ts';
import type { JsonObject } from './json.ts';
import { scopesWithout } from './manifest.ts';
import type { Actor } from './people/actor.ts';
import { personAt } from './people/person.ts';
import { type ChannelOptions, directConversation, makeChannel } from './state/conversations.ts';
import { addFile, type FileOptions } from './state/files.ts';
import type { Channel, User } from './state/model.ts';
import { installingOrganization, type SlackState, userOf, workspaceOf } from './state/state.ts';
import { activeTokens, issueBotToken } from './state/tokens.ts';
import { listOptions, type OptionsOf, runFunction } from './workflows.ts';

export interface WorkspaceOptions {
  id?: string;
  name?: string;
  enterpriseId?: string;
  /** Whether the organization installed the app, not this workspace itself. */
  orgWideInstall?: boolean;
  /** False: the app is installed through OAuth later. */
  installed?: boolean;
}

interface UserOptions {
  id?: string;
  name: string;
  displayName?: string;
  admin?: boolean;
  owner?: boolean;
  orgAdmin?: boolean;
  guest?: 'single' | 'multi';
  deleted?: boolean;
  bot?: boolean;
  /** The other company's workspace that the person belongs to. */
  of?: { id: string };
}

export type Workspace = ReturnType<typeof workspaceHandle>;

type Context = Omit<Actor, 'workspace' | 'user'>;

type NewChannel = Omit<ChannelOptions, 'sharedWith' | 'members'> & {
  sharedWith?: { id: string }[];
  members?: User[];
};

function addPerson(state: SlackState, teamId: string, options: UserOptions): User {
  const user: User = {
    id: options.id ?? state.ids.next('U'),
    name: options.name.toLowerCase().replaceAll(' ', '.'),
    realName: options.name,
    displayName: options.displayName ?? '',
    teamId,
    isAdmin: options.admin ?? false,
    isOwner: options.owner ?? false,
    isOrgAdmin: options.orgAdmin ?? false,
    isBot: options.bot ?? false,
    guest: options.guest,
    deleted: options.deleted ?? false,
  };
  state.users.set(user.id, user);
  state.feed.emit();
  return user;
}

/** An organization's installation has one bot for all of its workspaces. */
function siblingOf(state: SlackState, { enterpriseId, orgWideInstall }: WorkspaceOptions) {
  return [...state.workspaces.values()].find(
    (one) =>
      orgWideInstall &&
      one.enterpriseId === enterpriseId &&
      installingOrganization(one) !== undefined,
  );
}

export function addWorkspace(context: Context, options: WorkspaceOptions): Workspace {
  const { state } = context;
  const id = options.id ?? state.ids.next('T');
  const name = options.name ?? 'Acme';
  const sibling = siblingOf(state, options);
  const bot = sibling
    ? userOf(state, sibling.botUserId)
    : addPerson(state, id, { name: state.manifest.name });
  bot.isBot = true;
  state.workspaces.set(id, {
    id,
    name,
    domain: name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
    enterpriseId: options.enterpriseId,
    orgWideInstall: options.orgWideInstall ?? false,
    installed: false,
    botUserId: bot.id,
    botId: sibling?.botId ?? state.ids.next('B'),
    strangers: new Set(),
  });
  state.feed.emit();
  const workspace = workspaceHandle(context, id);
  if (options.installed ?? true) workspace.install();
  return workspace;
}

function workspaceHandle(context: Context, id: string) {
  const { state } = context;
  const record = workspaceOf(state, id);
  return {
    id,
    name: record.name,
    botUserId: record.botUserId,
    get installed() {
      return record.installed;
    },
    /** The newest bot token; empty while the app isn't installed. */
    get botToken() {
      return activeTokens(state, record).at(-1)?.token ?? '';
    },
    addUser(options: UserOptions) {
      const user = addPerson(state, options.of?.id ?? id, options);
      if (options.of) record.strangers.add(user.id);
      return user;
    },
    /** A channel; `sharedWith` other companies' workspaces (Slack Connect). */
    addChannel({ sharedWith = [], members = [], ...options }: NewChannel) {
      return makeChannel(state, record, {
        ...options,
        sharedWith: sharedWith.map((workspace) => workspace.id),
        members: members.map((user) => user.id),
      });
    },
    as: (user: User) => personAt({ ...context, workspace: record, user: userOf(state, user.id) }),
    /** Installs the app (again) without OAuth or some optional scopes. @returns the new bot token */
    install({ without = [] }: { without?: string[] } = {}) {
      const organizationId = installingOrganization(record);
      if (organizationId !== undefined) state.organizationInstalls.add(organizationId);
      record.installed = true;
      state.feed.emit();
      return issueBotToken(state, id, scopesWithout(state.manifest, without)).token;
    },
    /** Revokes the tokens and sends the events that the manifest subscribes to, in that order. */
    uninstall: (order?: ('app_uninstalled' | 'tokens_revoked')[]) =>
      appUninstalled(context, record, order),
    /** The organization gives the workspace the app that it has installed, or removes it. */
    changeAccess: (type: 'team_access_granted' | 'team_access_revoked') =>
      changeAccess(context, record, type),
    runStep: (callbackId: string, inputs: JsonObject) =>
      runFunction(context, record, callbackId, inputs),
    stepOptions: (options: OptionsOf) => listOptions(context, record, options),
    /** A file that somebody uploads outside of the app. */
    addFile: (by: User, options: FileOptions) =>
      addFile(state, { workspaceId: id, userId: by.id }, options),
    /** Everything in a channel, oldest first, including thread replies (`threadTs`). */
    messages: (channel: Channel) => state.messages.get(channel.id) ?? [],
    directMessages(user: User) {
      const { id: channelId } = directConversation(state, record, user.id, record.botUserId);
      return state.messages.get(channelId) ?? [];
    },
    ephemerals: (user: User) => state.ephemerals.filter(({ userId }) => userId === user.id),
  };
}
