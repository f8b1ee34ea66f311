import { asObject, type JsonObject } from '../json.ts';
import { isIn, isShared } from '../state/conversations.ts';
import type { Channel, User } from '../state/model.ts';
import { channelOf, type SlackState } from '../state/state.ts';

/** Full members see public channels; everyone else, and guests, only see channels they are in. */
export function isVisibleTo(user: User, channel: Channel): boolean {
  if (channel.members.has(user.id)) return true;
  if (user.guest) return false;
  return channel.kind === 'public' && isIn(channel, user.teamId);
}

function passes(state: SlackState, channel: Channel, filter: JsonObject): boolean {
  const { include, exclude_external_shared_channels, exclude_bot_users } = filter;
  if (Array.isArray(include) && !include.includes(channel.kind)) return false;
  if (exclude_external_shared_channels === true && isShared(channel)) return false;
  const withBot = [...channel.members].some((id) => state.users.get(id)?.isBot);
  return !(exclude_bot_users === true && channel.kind === 'im' && withBot);
}

export function offeredConversations(state: SlackState, user: User, element: JsonObject) {
  const filter = asObject(element.filter);
  return [...state.channels.values()].filter(
    (channel) => isVisibleTo(user, channel) && !channel.archived && passes(state, channel, filter),
  );
}

/** Throws if a conversations menu wouldn't list the conversation for the person. */
export function mustBeOffered(
  state: SlackState,
  user: User,
  element: JsonObject,
  channelId: string,
): void {
  const channel = channelOf(state, channelId);
  if (offeredConversations(state, user, element).includes(channel)) return;
  throw new Error(`The menu does not offer #${channel.name} to ${user.name}`);
}
