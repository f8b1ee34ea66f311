import { asText, type JsonObject } from '../json.ts';
import { refuse } from '../refusal.ts';
import { directConversation, isShared } from '../state/conversations.ts';
import type { Channel, ChannelKind } from '../state/model.ts';
import { visibleChannel } from './channels.ts';
import { type BotCall, type Method, requiredText, requireScope } from './method.ts';

const READ_SCOPE: Record<ChannelKind, string> = {
  public: 'channels:read',
  private: 'groups:read',
  im: 'im:read',
  mpim: 'mpim:read',
};
const MAX_PEOPLE = 8;
const DEFAULT_MEMBERS = 100;
const MAX_MEMBERS = 999;

function channelOutput(channel: Channel, botUserId: string): JsonObject {
  const shared = isShared(channel);
  const base = {
    id: channel.id,
    is_channel: channel.kind === 'public' || channel.kind === 'private',
    is_group: false,
    is_im: channel.kind === 'im',
    is_mpim: channel.kind === 'mpim',
    is_private: channel.kind !== 'public',
    is_archived: channel.archived,
    is_shared: shared,
    is_ext_shared: shared,
    is_org_shared: false,
    is_pending_ext_shared: false,
    context_team_id: channel.homeId,
  };
  if (channel.kind === 'im') {
    return { ...base, user: [...channel.members].find((id) => id !== botUserId), is_open: true };
  }
  return {
    ...base,
    name: channel.name,
    name_normalized: channel.name,
    is_member: channel.members.has(botUserId),
    is_read_only: channel.readOnly,
    shared_team_ids: [channel.homeId, ...channel.sharedWith],
  };
}

function info(call: BotCall): JsonObject {
  const channel = visibleChannel(call, requiredText(call.args, 'channel'));
  requireScope(call.token, [READ_SCOPE[channel.kind]]);
  return { channel: channelOutput(channel, call.workspace.botUserId) };
}

/** The people in a conversation: the first page, and whether there are more. */
function members(call: BotCall): JsonObject {
  const channel = visibleChannel(call, requiredText(call.args, 'channel'));
  requireScope(call.token, [READ_SCOPE[channel.kind]]);
  const limit = Number(call.args.limit ?? DEFAULT_MEMBERS);
  if (!(limit > 0 && limit <= MAX_MEMBERS)) return refuse('invalid_limit');
  const listed = [...channel.members].slice(0, limit);
  const cursor = listed.length < channel.members.size ? 'more' : '';
  return { members: listed, response_metadata: { next_cursor: cursor } };
}

/** Opens the direct conversation with one person; several people at once are not supported. */
function open(call: BotCall): JsonObject {
  const { state, workspace, args } = call;
  const users = asText(args.users).split(',').filter(Boolean);
  if (asText(args.channel)) {
    return { channel: { id: visibleChannel(call, asText(args.channel)).id } };
  }
  if (users.length === 0) return refuse('users_list_not_supplied');
  if (users.length > MAX_PEOPLE) return refuse('too_many_users');
  const found = users.map((id) => state.users.get(id));
  if (found.some((user) => user?.teamId !== workspace.id)) return refuse('user_not_found');
  if (found.some((user) => user?.deleted)) return refuse('user_disabled');
  if (found.some((user) => user?.isBot)) return refuse('cannot_dm_bot');
  const [userId = ''] = users;
  if (users.length > 1) return refuse('missing_scope', [], { needed: 'mpim:write' });
  const channel = directConversation(state, workspace, userId, workspace.botUserId);
  return { channel: { id: channel.id } };
}

/** Reading channels and opening direct conversations. */
export const conversationMethods: Record<string, Method> = {
  'conversations.info': { by: 'bot', scopes: Object.values(READ_SCOPE), call: info },
  'conversations.members': { by: 'bot', scopes: Object.values(READ_SCOPE), call: members },
  'conversations.open': { by: 'bot', scopes: ['im:write'], call: open },
};
