import { z } from 'zod';
import {
  type OrganisationId,
  organisationIdOf,
  type WorkspaceId,
  workspaceIdOf,
} from '../../installations/workspace-id.ts';

/** Which workspace or organization a payload concerns, as far as it says. */
export type Tenant = {
  /** Whether it came with an event, and not with something that a person did. */
  isEvent: boolean;
  /** The workspace whose installation it concerns. */
  workspaceId: WorkspaceId | undefined;
  /**
   * Where Slack names none, the workspace of the person: perhaps another company's, so it is a mere text
   * until it is known to belong to the organisation.
   */
  claimedId: string | undefined;
  /** Of the installation, in Enterprise Grid. */
  organisationId: OrganisationId | undefined;
  /** Whether the organisation installed the app for its workspaces. */
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

const elsewhere = z.object({
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
 * Reads where a signed payload counts: at the installation that it is authorised for, not where whoever
 * spoke belongs. In a channel shared with another company, and in organisation-wide installs, the two
 * differ (docs.slack.dev/apis/events-api, `authorizations`; docs.slack.dev/enterprise/developing-for-enterprise-orgs).
 */
export function tenantOf(body: unknown): Tenant {
  if (typeof body !== 'object' || body === null) return read(body);
  const known = tenants.get(body);
  if (known) return known;
  const tenant = read(body);
  tenants.set(body, tenant);
  return tenant;
}

/** A delivery is asked about by the intake, and again by Bolt's authorization. */
const tenants = new WeakMap<object, Tenant>();

function read(body: unknown): Tenant {
  const asEvent = event.safeParse(body);
  return asEvent.success ? tenantOfEvent(asEvent.data) : tenantOfInteraction(elsewhere.parse(body));
}

function tenantOfEvent(body: z.infer<typeof event>): Tenant {
  const authorization = body.authorizations?.[0];
  const organisation =
    authorization?.enterprise_id ?? body.context_enterprise_id ?? body.enterprise_id ?? undefined;
  // Without an authorization, as after an uninstall, `team_id` is all there is; it may not be what a
  // shared channel says, since there it may be the other company's.
  const last = authorization || body.is_ext_shared_channel ? undefined : body.team_id;
  const named = [authorization?.team_id, body.context_team_id, last];
  return {
    ...idsOf(named, organisation),
    isEvent: true,
    claimedId: undefined,
    isOrgWide: authorization?.is_enterprise_install ?? false,
  };
}

function tenantOfInteraction(body: z.infer<typeof elsewhere>): Tenant {
  const { team, view, user } = body;
  const organisation =
    body.enterprise?.id ?? team?.enterprise_id ?? body.enterprise_id ?? undefined;
  const named = [view?.app_installed_team_id, team?.id, body.team_id];
  return {
    ...idsOf(named, organisation),
    isEvent: false,
    claimedId: firstWorkspace([view?.team_id, user?.team_id], organisation),
    isOrgWide: body.is_enterprise_install ?? false,
  };
}

type Named = (string | null | undefined)[];

function idsOf(named: Named, organisation: string | undefined) {
  const workspace = firstWorkspace(named, organisation);
  return {
    workspaceId: workspace === undefined ? undefined : workspaceIdOf(workspace),
    organisationId: organisation === undefined ? undefined : organisationIdOf(organisation),
  };
}

/** Where a workspace belongs, Slack names the organisation now and then. */
const firstWorkspace = (named: Named, organisation: string | undefined) =>
  named.find((one) => one && one !== organisation) ?? undefined;
