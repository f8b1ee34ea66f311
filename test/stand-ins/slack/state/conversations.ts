import type { Channel, ChannelKind, Message } from './model.ts';
import type { SlackState, WorkspaceRecord } from './state.ts';
import { workspaceOf } from './state.ts';

const ID_PREFIX: Record<ChannelKind, string> = { public: 'C', private: 'C', im: 'D', mpim: 'G' };

export interface ChannelOptions {
  name: string;
  kind?: ChannelKind;
  sharedWith?: string[];
  archived?: boolean;
  readOnly?: boolean;
  members?: string[];
  botIsMember?: boolean;
}

/** Creates a channel in a workspace. People who act in it become members. */
export function makeChannel(
  state: SlackState,
  workspace: WorkspaceRecord,
  options: ChannelOptions,
): Channel {
  const kind = options.kind ?? 'public';
  const members = new Set(options.members ?? []);
  if (options.botIsMember) members.add(workspace.botUserId);
  const channel: Channel = {
    id: state.ids.next(ID_PREFIX[kind]),
    name: options.name,
    kind,
    homeId: workspace.id,
    sharedWith: options.sharedWith ?? [],
    archived: options.archived ?? false,
    readOnly: options.readOnly ?? false,
    members,
  };
  state.channels.set(channel.id, channel);
  state.feed.emit('channel');
  return channel;
}

/** The direct conversation between two people, or a person and a bot; created if necessary. */
export function directConversation(
  state: SlackState,
  workspace: WorkspaceRecord,
  userId: string,
  otherId: string,
): Channel {
  const existing = [...state.channels.values()].find(
    ({ kind, homeId, members }) =>
      kind === 'im' && homeId === workspace.id && members.has(userId) && members.has(otherId),
  );
  if (existing) return existing;
  return makeChannel(state, workspace, { name: '', kind: 'im', members: [userId, otherId] });
}

/** Whether the channel exists in that workspace, as its own or shared. */
export function isIn(channel: Channel, workspaceId: string): boolean {
  return channel.homeId === workspaceId || channel.sharedWith.includes(workspaceId);
}

/** Whether people of more than one company see the channel. */
export function isShared(channel: Channel): boolean {
  return channel.sharedWith.length > 0;
}

/** Whether that workspace's app sees the channel: a public one, or one that its bot is in. */
export function botSees(channel: Channel, workspace: WorkspaceRecord): boolean {
  if (!isIn(channel, workspace.id)) return false;
  return channel.kind === 'public' || channel.members.has(workspace.botUserId);
}

/** The channel's name in payloads. Source: Slack's payloads of commands. */
export function nameInPayloads(channel: Channel): string {
  if (channel.kind === 'im') return 'directmessage';
  return channel.kind === 'private' ? 'privategroup' : channel.name;
}

export function messageAt(state: SlackState, channelId: string, ts: string): Message | undefined {
  return state.messages.get(channelId)?.find((message) => message.ts === ts);
}

export function addMessage(
  state: SlackState,
  fields: Pick<Message, 'channelId' | 'userId' | 'teamId' | 'text'> & Partial<Message>,
): Message {
  const message: Message = {
    ts: state.ids.ts(),
    threadTs: undefined,
    botId: undefined,
    blocks: [],
    attachments: [],
    metadata: undefined,
    entities: [],
    edited: false,
    ...fields,
  };
  const all = state.messages.get(message.channelId) ?? [];
  all.push(message);
  state.messages.set(message.channelId, all);
  state.feed.emit('message');
  return message;
}

/** The workspace whose installation gets events from the channel, if any. */
export function installationFor(
  state: SlackState,
  channel: Channel,
  actorTeamId: string,
): WorkspaceRecord | undefined {
  const candidates = [actorTeamId, channel.homeId, ...channel.sharedWith];
  const ids = candidates.filter((id) => isIn(channel, id));
  return ids.map((id) => workspaceOf(state, id)).find(({ installed }) => installed);
}
