import { asText, type JsonObject } from '../json.ts';
import { refuse } from '../refusal.ts';
import { botSees } from '../state/conversations.ts';
import type { User } from '../state/model.ts';
import { sees } from './channels.ts';
import { type BotCall, requiredText } from './method.ts';

/** In no channel that the app sees: only then Slack says `is_stranger` (Slack's documentation of the user object). */
function isStranger({ state, workspace }: BotCall, user: User): boolean {
  const met = [...state.channels.values()].some(
    (channel) => channel.members.has(user.id) && botSees(channel, workspace),
  );
  return user.teamId !== workspace.id && !met;
}

function userOutput(call: BotCall, user: User): JsonObject {
  const profile = {
    real_name: user.realName,
    display_name: user.displayName,
    team: user.teamId,
  };
  const { enterpriseId } = call.workspace;
  const isColleague =
    enterpriseId !== undefined &&
    call.state.workspaces.get(user.teamId)?.enterpriseId === enterpriseId;
  const base = {
    id: user.id,
    team_id: user.teamId,
    name: user.name,
    deleted: user.deleted,
    is_bot: user.isBot,
    updated: 0,
    profile,
    ...(isColleague
      ? {
          enterprise_user: {
            id: user.id,
            enterprise_id: enterpriseId,
            is_admin: user.isOrgAdmin,
            is_owner: false,
            teams: [user.teamId],
          },
        }
      : {}),
  };
  // Slack reports no roles for other companies' people and for deactivated people.
  if (user.teamId !== call.workspace.id) {
    return { ...base, real_name: user.realName, is_stranger: isStranger(call, user) };
  }
  if (user.deleted) return base;
  return {
    ...base,
    real_name: user.realName,
    tz: 'Europe/Amsterdam',
    is_admin: user.isAdmin || user.isOwner,
    is_owner: user.isOwner,
    is_primary_owner: false,
    is_restricted: user.guest !== undefined,
    is_ultra_restricted: user.guest === 'single',
  };
}

export function person(call: BotCall): JsonObject {
  const { state, workspace, args } = call;
  const user = state.users.get(requiredText(args, 'user'));
  if (!user) return refuse('user_not_found');
  if (!sees(state, workspace, user.id)) return refuse('user_not_visible');
  return { user: userOutput(call, user) };
}

/** Everyone whom the workspace knows, in one page, however few were requested. */
export function people(call: BotCall): JsonObject {
  const { state, workspace, token, args } = call;
  // An organization's token works in many workspaces. Source: Slack's documentation of users.list.
  if (token.organizationId !== undefined && !asText(args.team_id)) refuse('missing_argument');
  const members = [...state.users.values()]
    .filter((user) => sees(state, workspace, user.id))
    .map((user) => userOutput(call, user));
  return { members, response_metadata: { next_cursor: '' } };
}
