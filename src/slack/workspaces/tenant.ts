import {
  type OrganizationId,
  organizationIdOf,
  type WorkspaceId,
  workspaceIdOf,
} from '../../installations/workspace-id.ts';

/** The workspace or organization that a payload belongs to, as far as it says. */
export type Tenant = {
  /** Rather than something that a person did. */
  isEvent: boolean;
  /** The workspace that has the app. */
  workspaceId: WorkspaceId | undefined;
  /**
   * The person's workspace, for when Slack doesn't name the one that has the app. It may be another company's, so it
   * stays a plain string until it is known to belong to the organization.
   */
  claimedId: string | undefined;
  /** The organization of the installation, on Enterprise Grid. */
  organizationId: OrganizationId | undefined;
  isOrgWide: boolean;
};

type Part = { readonly [name: string]: unknown };

const partOf = (value: unknown): Part | undefined =>
  typeof value === 'object' && value !== null ? { ...value } : undefined;

/** Commands are form-encoded. */
const isTrue = (value: unknown) => value === true || value === 'true';

const isId = (value: unknown): value is string => typeof value === 'string' && value !== '';

/**
 * Finds the installation that a signed payload is authorized for, which is not always the sender's:
 * they differ in channels shared with another company and in organization-wide installations
 * (docs.slack.dev/apis/events-api, `authorizations`;
 * docs.slack.dev/enterprise/developing-for-enterprise-orgs).
 */
export function tenantOf(body: unknown): Tenant {
  const payload = partOf(body) ?? {};
  return payload.type === 'event_callback' ? tenantOfEvent(payload) : tenantOfInteraction(payload);
}

function tenantOfEvent(body: Part): Tenant {
  const authorization = partOf(partOf(body.authorizations)?.[0]);
  const organization = [
    authorization?.enterprise_id,
    body.context_enterprise_id,
    body.enterprise_id,
  ].find(isId);
  // Events without an authorization, such as uninstalls, have only `team_id`. In a shared channel
  // it may be the other company's.
  const fallback = authorization || isTrue(body.is_ext_shared_channel) ? undefined : body.team_id;
  return {
    ...idsOf([authorization?.team_id, body.context_team_id, fallback], organization),
    isEvent: true,
    claimedId: undefined,
    isOrgWide: isTrue(authorization?.is_enterprise_install),
  };
}

function tenantOfInteraction(body: Part): Tenant {
  const [team, view, user] = [body.team, body.view, body.user].map(partOf);
  const organization = [partOf(body.enterprise)?.id, team?.enterprise_id, body.enterprise_id].find(
    isId,
  );
  return {
    ...idsOf([view?.app_installed_team_id, team?.id, body.team_id], organization),
    isEvent: false,
    claimedId: firstWorkspace([view?.team_id, user?.team_id], organization),
    isOrgWide: isTrue(body.is_enterprise_install),
  };
}

function idsOf(named: unknown[], organization: string | undefined) {
  const workspace = firstWorkspace(named, organization);
  return {
    workspaceId: workspace === undefined ? undefined : workspaceIdOf(workspace),
    organizationId: organization === undefined ? undefined : organizationIdOf(organization),
  };
}

/** Slack sometimes puts the organization's ID where a workspace's ID belongs. */
const firstWorkspace = (named: unknown[], organization: string | undefined) =>
  named.filter(isId).find((one) => one !== organization);
