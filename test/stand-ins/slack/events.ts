import type { Delivery } from './dispatch/delivery.ts';
import type { Dispatcher } from './dispatch/dispatcher.ts';
import type { JsonObject } from './json.ts';
import { installingOrganization, type SlackState, type WorkspaceRecord } from './state/state.ts';
import { revokeTokens } from './state/tokens.ts';

export interface EventSender {
  state: SlackState;
  dispatcher: Dispatcher;
}

export interface EnvelopeOptions {
  /** The workspace in which it happened; in shared channels the sender's. */
  teamId?: string;
  isExtSharedChannel?: boolean;
  /** The event names no user of the installation, as after an uninstall. */
  withoutAuthorization?: boolean;
  /** It happened in the organization, not in one of its workspaces. */
  ofOrganization?: boolean;
}

function authorizationOf(workspace: WorkspaceRecord): JsonObject {
  return {
    enterprise_id: workspace.enterpriseId ?? null,
    team_id: workspace.orgWideInstall ? null : workspace.id,
    user_id: workspace.botUserId,
    is_bot: true,
    is_enterprise_install: workspace.orgWideInstall,
  };
}

/** If the manifest subscribes to its type; otherwise undefined. Shape: Bolt's `EnvelopedEvent`. */
export function sendEvent(
  { state, dispatcher }: EventSender,
  workspace: WorkspaceRecord,
  event: JsonObject,
  options: EnvelopeOptions = {},
): Delivery | undefined {
  if (!state.manifest.botEvents.includes(String(event.type))) return undefined;
  return dispatcher.event(workspace.id, {
    token: state.app.verificationToken,
    team_id: options.ofOrganization ? null : (options.teamId ?? workspace.id),
    context_team_id: options.ofOrganization ? null : workspace.id,
    context_enterprise_id: workspace.enterpriseId ?? null,
    ...(workspace.enterpriseId ? { enterprise_id: workspace.enterpriseId } : {}),
    api_app_id: state.app.id,
    event,
    type: 'event_callback',
    event_id: state.ids.next('Ev'),
    event_time: Math.floor(state.clock().getTime() / 1_000),
    is_ext_shared_channel: options.isExtSharedChannel ?? false,
    authorizations: options.withoutAuthorization ? [] : [authorizationOf(workspace)],
    event_context: state.ids.next('EC'),
  });
}

/** Ends the installation from which a workspace has the app. The events are sent in the given order. */
export function appUninstalled(
  sender: EventSender,
  workspace: WorkspaceRecord,
  order: ('app_uninstalled' | 'tokens_revoked')[] = ['app_uninstalled', 'tokens_revoked'],
): void {
  const { state } = sender;
  const organizationId = installingOrganization(workspace);
  revokeTokens(state, workspace);
  if (organizationId !== undefined) state.organizationInstalls.delete(organizationId);
  for (const one of state.workspaces.values()) {
    const isOfIt = organizationId !== undefined && installingOrganization(one) === organizationId;
    if (one === workspace || isOfIt) one.installed = false;
  }
  state.feed.emit();
  for (const type of order) {
    const tokens = { oauth: [], bot: [workspace.botUserId] };
    const event = type === 'tokens_revoked' ? { type, tokens } : { type };
    sendEvent(sender, workspace, event, { withoutAuthorization: true });
  }
}

export function changeAccess(
  sender: EventSender,
  workspace: WorkspaceRecord,
  type: 'team_access_granted' | 'team_access_revoked',
): void {
  workspace.installed = type === 'team_access_granted';
  sender.state.feed.emit();
  sendEvent(sender, workspace, { type, team_ids: [workspace.id] }, { ofOrganization: true });
}
