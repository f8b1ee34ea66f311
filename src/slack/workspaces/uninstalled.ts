import type { EnvelopedEvent } from '@slack/bolt';
import type {
  TeamAccessGrantedEvent,
  TeamAccessRevokedEvent,
  TokensRevokedEvent,
} from '@slack/types';
import { type OwnerId, workspaceIdOf } from '../../installations/workspace-id.ts';
import type { OrganizationWorkspaceStore } from '../../store/organization-workspaces.ts';
import { tenantOf } from './tenant.ts';

/** In seconds. */
type Envelope = { event_time: number };

/** Handles events: the app was removed from a workspace or organization, or added to workspaces of an organization. */
export function createRemoval(deps: {
  /** Deletes the data of a workspace or organization if it has uninstalled the app. */
  deleteIfUninstalled: (id: OwnerId, at?: Date) => Promise<void>;
  organizations: OrganizationWorkspaceStore;
  now: () => Date;
}) {
  const { deleteIfUninstalled, organizations, now } = deps;

  /**
   * The app was removed from a workspace or an organization. The event has no authorization then and
   * doesn't say which, so both are checked.
   */
  async function onUninstalled(body: Envelope): Promise<void> {
    const { workspaceId, organizationId } = tenantOf(body);
    for (const id of [organizationId, workspaceId]) {
      if (id !== undefined) await deleteIfUninstalled(id, new Date(body.event_time * 1_000));
    }
  }

  return {
    onUninstalled,

    /** Tokens were revoked; only a bot token may mean that the app is gone. */
    async onTokensRevoked(body: EnvelopedEvent<TokensRevokedEvent>): Promise<void> {
      if ((body.event.tokens.bot ?? []).length > 0) await onUninstalled(body);
    },

    /** An organization removed the app from some of its workspaces. */
    async onAccessRevoked({ event }: EnvelopedEvent<TeamAccessRevokedEvent>): Promise<void> {
      for (const id of event.team_ids) await deleteIfUninstalled(workspaceIdOf(id));
    },

    /** An organization added the app to some of its workspaces. */
    async onAccessGranted(body: EnvelopedEvent<TeamAccessGrantedEvent>): Promise<void> {
      const { organizationId } = tenantOf(body);
      if (organizationId === undefined) return;
      const given = body.event.team_ids.map(workspaceIdOf);
      await organizations.add(organizationId, given, now());
    },
  };
}
