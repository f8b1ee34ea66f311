import { z } from 'zod';
import {
  type OrganizationId,
  organizationIdOf,
  type WorkspaceId,
  workspaceIdOf,
} from '../../installations/workspace-id.ts';

/** The workspace or organization that a payload belongs to, as far as it says. */
export type Tenant = {
  /** Whether the payload is an event, rather than something that a person did. */
  isEvent: boolean;
  /** The workspace that has the app. */
  workspaceId: WorkspaceId | undefined;
  /**
   * If Slack doesn't name it, the person's workspace. It may be another company's, so it stays a
   * plain string until it is known to belong to the organization.
   */
  claimedId: string | undefined;
  /** The organization of the installation, on Enterprise Grid. */
  organizationId: OrganizationId | undefined;
  /** Whether the organization installed the app for its workspaces. */
  isOrgWide: boolean;
};

const id = z.string().min(1).nullish().catch(undefined);
const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]);

const event = z.object({
  type: z.literal('event_callback'),
  team_id: id,
  context_team_id: id,
  enterprise_id: id,
  context_enterprise_id: id,
  is_ext_shared_channel: flag.nullish().catch(undefined),
  authorizations: z
    .array(
      z.object({
        team_id: id,
        enterprise_id: id,
        is_enterprise_install: flag.nullish().catch(undefined),
      }),
    )
    .nullish()
    .catch(undefined),
});

const interaction = z.object({
  // Commands
  team_id: id,
  enterprise_id: id,
  is_enterprise_install: flag.nullish().catch(undefined),
  // Interactions
  team: z.object({ id, enterprise_id: id }).nullish().catch(undefined),
  enterprise: z.object({ id }).nullish().catch(undefined),
  user: z.object({ team_id: id }).nullish().catch(undefined),
  view: z.object({ app_installed_team_id: id, team_id: id }).nullish().catch(undefined),
});

/**
 * Finds the installation that a signed payload is authorized for, which is not always the sender's:
 * they differ in channels shared with another company and in organization-wide installations
 * (docs.slack.dev/apis/events-api, `authorizations`;
 * docs.slack.dev/enterprise/developing-for-enterprise-orgs).
 */
export function tenantOf(body: unknown): Tenant {
  const asEvent = event.safeParse(body);
  return asEvent.success
    ? tenantOfEvent(asEvent.data)
    : tenantOfInteraction(interaction.parse(body));
}

function tenantOfEvent(body: z.infer<typeof event>): Tenant {
  const authorization = body.authorizations?.[0];
  const organization =
    authorization?.enterprise_id ?? body.context_enterprise_id ?? body.enterprise_id ?? undefined;
  // Events without an authorization, such as uninstalls, have only `team_id`. In a shared channel
  // it may be the other company's.
  const fallback = authorization || body.is_ext_shared_channel ? undefined : body.team_id;
  const named = [authorization?.team_id, body.context_team_id, fallback];
  return {
    ...idsOf(named, organization),
    isEvent: true,
    claimedId: undefined,
    isOrgWide: authorization?.is_enterprise_install ?? false,
  };
}

function tenantOfInteraction(body: z.infer<typeof interaction>): Tenant {
  const { team, view, user } = body;
  const organization =
    body.enterprise?.id ?? team?.enterprise_id ?? body.enterprise_id ?? undefined;
  const named = [view?.app_installed_team_id, team?.id, body.team_id];
  return {
    ...idsOf(named, organization),
    isEvent: false,
    claimedId: firstWorkspace([view?.team_id, user?.team_id], organization),
    isOrgWide: body.is_enterprise_install ?? false,
  };
}

type Named = (string | null | undefined)[];

function idsOf(named: Named, organization: string | undefined) {
  const workspace = firstWorkspace(named, organization);
  return {
    workspaceId: workspace === undefined ? undefined : workspaceIdOf(workspace),
    organizationId: organization === undefined ? undefined : organizationIdOf(organization),
  };
}

/** Slack sometimes puts the organization's ID where a workspace's ID belongs. */
const firstWorkspace = (named: Named, organization: string | undefined) =>
  named.find((one) => one && one !== organization) ?? undefined;
