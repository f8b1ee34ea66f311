import type { JsonObject } from '../json.ts';
import { refuse } from '../refusal.ts';
import { botSees, directConversation, isShared } from '../state/conversations.ts';
import type { Channel, ChannelKind, User } from '../state/model.ts';
import type { SlackState, WorkspaceRecord } from '../state/state.ts';
import { type BotCall, requiredText, requireScope } from './method.ts';

/** Whether that person is visible from the workspace: its own, or a stranger known from a channel. */
export function sees(state: SlackState, workspace: WorkspaceRecord, userId: string): boolean {
  const user = state.users.get(userId);
  return user?.teamId === workspace.id || (!!user && workspace.strangers.has(userId));
}

/** Slack's own bot, which isn't a bot according to `users.info`. */
const SLACKBOT = 'USLACKBOT';

export function visibleChannel(
  { state, workspace }: BotCall,
  id: string,
  refusal = 'channel_not_found',
): Channel {
  const channel = state.channels.get(id);
  return channel && botSees(channel, workspace) ? channel : refuse(refusal);
}

/**
 * The conversation that a message goes to: a channel ID, or a person's ID for the direct conversation with the bot.
 * Refuses `channel_not_found`, `cannot_dm_bot`, `messages_tab_disabled`, `is_archived`, `not_in_channel` (a public
 * channel not joined, without chat:write.public), and `restricted_action_read_only_channel`. A deactivated person's
 * conversation still accepts messages (slackapi/python-slack-sdk#1156).
 */
export function postingTarget(call: BotCall, id: string): Channel {
  const { state, workspace, token } = call;
  const user = state.users.get(id);
  if (user) return directTarget(call, user);
  const channel = visibleChannel(call, id);
  if (channel.archived) return refuse('is_archived');
  const joined = channel.members.has(workspace.botUserId);
  if (joined && channel.kind === 'im') requireMessagesTab(call);
  if (!joined && !token.scopes.includes('chat:write.public')) return refuse('not_in_channel');
  // chat:write.public doesn't extend to a channel that another company created.
  if (!joined && channel.homeId !== workspace.id) return refuse('not_in_channel');
  if (channel.readOnly) return refuse('restricted_action_read_only_channel');
  return channel;
}

function directTarget(call: BotCall, { id, isBot, teamId }: User): Channel {
  const { state, workspace } = call;
  if (isBot || id === SLACKBOT) return refuse('cannot_dm_bot');
  if (teamId !== workspace.id) return refuse('channel_not_found');
  requireMessagesTab(call);
  return directConversation(state, workspace, id, workspace.botUserId);
}

function requireMessagesTab({ state }: BotCall): void {
  if (!state.manifest.messagesTab) refuse('messages_tab_disabled');
}

export const READ_SCOPE: Record<ChannelKind, string> = {
  public: 'channels:read',
  private: 'groups:read',
  im: 'im:read',
  mpim: 'mpim:read',
};
const DEFAULT_MEMBERS = 100;
const MAX_MEMBERS = 999;

function channelOutput(channel: Channel, botUserId: string): JsonObject {
  const shared = isShared(channel);
  const base = {
    id: channel.id,
    is_archived: channel.archived,
    is_ext_shared: shared,
    is_pending_ext_shared: false,
    context_team_id: channel.homeId,
  };
  if (channel.kind === 'im') {
    return { ...base, user: [...channel.members].find((id) => id !== botUserId) };
  }
  return { ...base, name: channel.name, is_read_only: channel.readOnly };
}

export function conversation(call: BotCall): JsonObject {
  const channel = visibleChannel(call, requiredText(call.args, 'channel'));
  requireScope(call.token, [READ_SCOPE[channel.kind]]);
  return { channel: channelOutput(channel, call.workspace.botUserId) };
}

/** The people in a conversation: the first page, and whether there are more. */
export function members(call: BotCall): JsonObject {
  const channel = visibleChannel(call, requiredText(call.args, 'channel'));
  requireScope(call.token, [READ_SCOPE[channel.kind]]);
  const limit = Number(call.args.limit ?? DEFAULT_MEMBERS);
  if (!(limit > 0 && limit <= MAX_MEMBERS)) return refuse('invalid_limit');
  const listed = [...channel.members].slice(0, limit);
  const cursor = listed.length < channel.members.size ? 'more' : '';
  return { members: listed, response_metadata: { next_cursor: cursor } };
}
