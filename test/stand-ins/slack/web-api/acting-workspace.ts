import { asText, type JsonObject } from '../json.ts';
import { refuse } from '../refusal.ts';
import { isIn } from '../state/conversations.ts';
import type { Token } from '../state/model.ts';
import { type SlackState, type WorkspaceRecord, workspaceOf } from '../state/state.ts';
import { covers } from '../state/tokens.ts';
import { openViewById } from '../views/stacks.ts';

/**
 * The workspace in which a call acts. An organization's token works in many: the call names one with `team_id`, or
 * what it is about belongs to one.
 */
export function findActingWorkspace(
  state: SlackState,
  token: Token,
  args: JsonObject,
): WorkspaceRecord | undefined {
  if (token.organizationId === undefined) return workspaceOf(state, token.workspaceId);
  const given = [...state.workspaces.values()].filter((one) => one.installed && covers(token, one));
  const teamId = asText(args.team_id);
  if (teamId) return given.find(({ id }) => id === teamId);
  const channel = state.channels.get(asText(args.channel));
  const named = [
    state.triggers.get(asText(args.trigger_id))?.workspaceId,
    openViewById(state, asText(args.view_id))?.workspaceId,
    state.users.get(asText(args.user) || asText(args.channel))?.teamId,
  ];
  return given.find((one) => named.includes(one.id) || (channel && isIn(channel, one.id)));
}

/** The same; refuses `team_access_not_granted` if the token doesn't work in it. */
export function actingWorkspace(
  state: SlackState,
  token: Token,
  args: JsonObject,
): WorkspaceRecord {
  const found = findActingWorkspace(state, token, args);
  if (found) return found;
  // A call that isn't about a workspace works without one.
  return asText(args.team_id)
    ? refuse('team_access_not_granted')
    : workspaceOf(state, token.workspaceId);
}
