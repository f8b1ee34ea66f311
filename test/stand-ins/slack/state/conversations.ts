import { escapeEntities } from '../escape-entities.ts';
import type { JsonObject } from '../json.ts';
import type { Channel, ChannelKind, Message, User } from './model.ts';
import { type SlackState, type WorkspaceRecord, workspaceOf } from './state.ts';

const ID_PREFIX: Record<ChannelKind, string> = { public: 'C', private: 'C', im: 'D', mpim: 'G' };

export type ChannelOptions = Pick<Channel, 'name'> &
  Partial<Pick<Channel, 'kind' | 'sharedWith' | 'archived' | 'readOnly'>> & {
    members?: string[];
    botIsMember?: boolean;
  };

/** Creates a channel in a workspace. People who act in it become members. */
export function makeChannel(
  state: SlackState,
  workspace: WorkspaceRecord,
  { kind = 'public', members = [], botIsMember = false, ...options }: ChannelOptions,
): Channel {
  const channel: Channel = {
    id: state.ids.next(ID_PREFIX[kind]),
    kind,
    homeId: workspace.id,
    sharedWith: [],
    archived: false,
    readOnly: false,
    members: new Set(botIsMember ? [...members, workspace.botUserId] : members),
    ...options,
  };
  state.channels.set(channel.id, channel);
  state.feed.emit();
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

export function isIn(channel: Channel, workspaceId: string): boolean {
  return channel.homeId === workspaceId || channel.sharedWith.includes(workspaceId);
}

export function isShared(channel: Channel): boolean {
  return channel.sharedWith.length > 0;
}

/** Whether that workspace's app sees the channel: a public one, or one that its bot is in. */
export function botSees(channel: Channel, workspace: WorkspaceRecord): boolean {
  if (!isIn(channel, workspace.id)) return false;
  return channel.kind === 'public' || channel.members.has(workspace.botUserId);
}

/** Full members see public channels; everyone else, and guests, only see channels they are in. */
export function isVisibleTo(user: User, channel: Channel): boolean {
  if (channel.members.has(user.id)) return true;
  if (user.guest) return false;
  return channel.kind === 'public' && isIn(channel, user.teamId);
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
    entities: [],
    edited: false,
    ...fields,
  };
  const all = state.messages.get(message.channelId) ?? [];
  all.push(message);
  state.messages.set(message.channelId, all);
  state.feed.emit();
  return message;
}

/** The workspace whose installation gets events from the channel, if any. */
export function installationFor(state: SlackState, channel: Channel, actorTeamId: string) {
  const candidates = [actorTeamId, channel.homeId, ...channel.sharedWith];
  const ids = candidates.filter((id) => isIn(channel, id));
  return ids.map((id) => workspaceOf(state, id)).find(({ installed }) => installed);
}

const URL_IN_TEXT = /https?:\/\/[^\s<>|"]+/g;
const TRAILING_PUNCTUATION = /(?<![.,;:!?)\]}'*_])[.,;:!?)\]}'*_]+$/;

export interface Link {
  /** As Slack gives it to apps: with `&amp;` for `&`. Source: slackapi/python-slack-events-api#49. */
  url: string;
  /** The configured domain that it matches. */
  domain: string;
}

function hostOf(url: string): string | undefined {
  try {
    return new URL(url).hostname.toLowerCase();
  } catch {
    return undefined;
  }
}

/** The links in a text that match an app's unfurl domains, including subdomains, in order. */
export function linksIn(text: string, domains: string[]): Link[] {
  return (text.match(URL_IN_TEXT) ?? []).flatMap((found) => {
    const url = found.replace(TRAILING_PUNCTUATION, '');
    const host = hostOf(url);
    const domain = domains.find((one) => host === one || host?.endsWith(`.${one}`));
    return domain ? [{ url: escapeEntities(url), domain }] : [];
  });
}

export function messageOutput(state: SlackState, message: Message): JsonObject {
  return {
    type: 'message',
    ...(message.subtype ? { subtype: message.subtype } : {}),
    user: message.userId,
    ts: message.ts,
    text: message.text,
    team: message.teamId,
    ...(message.botId ? { bot_id: message.botId, app_id: state.app.id } : {}),
    ...(message.threadTs ? { thread_ts: message.threadTs } : {}),
    ...(message.blocks.length > 0 ? { blocks: message.blocks } : {}),
    ...(message.attachments.length > 0 ? { attachments: message.attachments } : {}),
    ...(message.files?.length ? { files: message.files } : {}),
  };
}

export function permalinkOf({ domain }: { domain: string }, { channelId, ts, threadTs }: Message) {
  const thread = threadTs ? `?thread_ts=${threadTs}&cid=${channelId}` : '';
  return `https://${domain}.slack.com/archives/${channelId}/p${ts.replace('.', '')}${thread}`;
}
