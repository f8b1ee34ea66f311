import type { JsonObject } from '../json.ts';
import { refuse } from '../refusal.ts';
import { isShared } from '../state/conversations.ts';
import type { Channel, ChannelKind } from '../state/model.ts';
import { visibleChannel } from './channels.ts';
import { type BotCall, type Method, requiredText, requireScope } from './method.ts';

const READ_SCOPE: Record<ChannelKind, string> = {
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

export const conversationMethods: Record<string, Method> = {
  'conversations.info': { by: 'bot', scopes: Object.values(READ_SCOPE), call: info },
  'conversations.members': { by: 'bot', scopes: Object.values(READ_SCOPE), call: members },
};
