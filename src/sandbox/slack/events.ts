import type { Delivery } from './dispatch/delivery.ts';
import type { Dispatcher } from './dispatch/dispatcher.ts';
import type { JsonObject } from './json.ts';
import type { SlackState, WorkspaceRecord } from './state/state.ts';
import { revokeTokens } from './state/tokens.ts';

const MS_PER_SECOND = 1000;

export interface EventSender {
  state: SlackState;
  dispatcher: Dispatcher;
}

export interface EnvelopeOptions {
  /** The workspace in which it happened; in shared channels that of who spoke. */
  teamId?: string;
  isExtSharedChannel?: boolean;
  /** The event tells no user of the installation: none after an uninstall. */
  withoutAuthorization?: boolean;
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

/**
 * Sends an event to the app for one installation, if the manifest subscribes to its type.
 * Shape: Bolt's `EnvelopedEvent`. Undefined where nothing is sent.
 */
export function sendEvent(
  { state, dispatcher }: EventSender,
  workspace: WorkspaceRecord,
  event: JsonObject,
  options: EnvelopeOptions = {},
): Delivery | undefined {
  if (!state.manifest.botEvents.includes(String(event.type))) return undefined;
  return dispatcher.event(workspace.id, {
    token: state.app.verificationToken,
    team_id: options.teamId ?? workspace.id,
    context_team_id: workspace.id,
    context_enterprise_id: workspace.enterpriseId ?? null,
    ...(workspace.enterpriseId ? { enterprise_id: workspace.enterpriseId } : {}),
    api_app_id: state.app.id,
    event,
    type: 'event_callback',
    event_id: state.ids.next('Ev'),
    event_time: Math.floor(state.clock().getTime() / MS_PER_SECOND),
    is_ext_shared_channel: options.isExtSharedChannel ?? false,
    authorizations: options.withoutAuthorization ? [] : [authorizationOf(workspace)],
    event_context: state.ids.next('EC'),
  });
}

function tokensRevoked(sender: EventSender, workspace: WorkspaceRecord): void {
  const tokens = { oauth: [], bot: [workspace.botUserId] };
  sendEvent(sender, workspace, { type: 'tokens_revoked', tokens }, { withoutAuthorization: true });
}

/** Ends an installation, and tells the app so in the order given. */
export function appUninstalled(
  sender: EventSender,
  workspace: WorkspaceRecord,
  order: ('app_uninstalled' | 'tokens_revoked')[] = ['app_uninstalled', 'tokens_revoked'],
): void {
  revokeTokens(sender.state, workspace.id);
  workspace.installed = false;
  sender.state.feed.emit('workspace');
  for (const type of order) {
    if (type === 'tokens_revoked') tokensRevoked(sender, workspace);
    else sendEvent(sender, workspace, { type }, { withoutAuthorization: true });
  }
}
