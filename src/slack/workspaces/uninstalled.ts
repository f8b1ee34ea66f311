import type { EnvelopedEvent } from '@slack/bolt';
import type {
  TeamAccessGrantedEvent,
  TeamAccessRevokedEvent,
  TokensRevokedEvent,
} from '@slack/types';
import { type OwnerId, workspaceIdOf } from '../../installations/workspace-id.ts';
import type { OrganizationWorkspaceStore } from '../../store/organization-workspaces.ts';
import { tenantOf } from './tenant.ts';

type Deps = {
  /** Deletes the data of a workspace or organization if it has uninstalled the app. */
  deleteIfUninstalled: (id: OwnerId, at?: Date) => Promise<void>;
};

/** In seconds. */
type Envelope = { event_time: number };

/**
 * The app was removed from a workspace or an organization. The event has no authorization then and
 * doesn't say which, so both are checked.
 */
export async function onUninstalled(deps: Deps, body: Envelope): Promise<void> {
  const { workspaceId, organizationId } = tenantOf(body);
  for (const id of [organizationId, workspaceId]) {
    if (id !== undefined) await deps.deleteIfUninstalled(id, new Date(body.event_time * 1_000));
  }
}

/** Tokens were revoked; only a bot token may mean that the app is gone. */
export async function onTokensRevoked(
  deps: Deps,
  body: EnvelopedEvent<TokensRevokedEvent>,
): Promise<void> {
  if ((body.event.tokens.bot ?? []).length > 0) await onUninstalled(deps, body);
}

/** An organization removed the app from some of its workspaces. */
export async function onAccessRevoked(
  deps: Deps,
  { event }: EnvelopedEvent<TeamAccessRevokedEvent>,
): Promise<void> {
  for (const id of event.team_ids) await deps.deleteIfUninstalled(workspaceIdOf(id));
}

/** An organization added the app to some of its workspaces. */
export async function onAccessGranted(
  deps: { organizations: OrganizationWorkspaceStore; now: () => Date },
  body: EnvelopedEvent<TeamAccessGrantedEvent>,
): Promise<void> {
  const { organizationId } = tenantOf(body);
  if (organizationId === undefined) return;
  const given = body.event.team_ids.map(workspaceIdOf);
  await deps.organizations.add(organizationId, given, deps.now());
}
