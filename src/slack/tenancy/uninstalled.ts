import type {
  TeamAccessGrantedEvent,
  TeamAccessRevokedEvent,
  TokensRevokedEvent,
} from '@slack/types';
import { workspaceIdOf } from '../../installations/workspace-id.ts';
import type { SlackDeps } from '../deps.ts';
import { tenantOf } from './tenant.ts';

type UninstallDeps = Pick<SlackDeps, 'forget'>;

/** Slack's moments of events are in seconds. */
const MS_PER_SECOND = 1_000;

type Envelope = { event_time: number };
const momentOf = ({ event_time }: Envelope) => new Date(event_time * MS_PER_SECOND);

/**
 * The app was removed from a workspace, or from an organisation. Which of the two is not certain from the
 * event (it has no authorization then), so both are looked at.
 */
export async function onUninstalled(deps: UninstallDeps, body: Envelope): Promise<void> {
  const { workspaceId, organisationId } = tenantOf(body);
  for (const id of [organisationId, workspaceId]) {
    if (id !== undefined) await deps.forget(id, momentOf(body));
  }
}

/** A token was taken away; only the bot's may mean that the app is gone. */
export async function onTokensRevoked(
  deps: UninstallDeps,
  body: Envelope & { event: TokensRevokedEvent },
): Promise<void> {
  if ((body.event.tokens.bot ?? []).length > 0) await onUninstalled(deps, body);
}

/** An organisation took the app from some of its workspaces. */
export async function onAccessRevoked(
  deps: UninstallDeps,
  { event }: { event: TeamAccessRevokedEvent },
): Promise<void> {
  for (const id of event.team_ids) await deps.forget(workspaceIdOf(id));
}

/** An organisation gave the app to some of its workspaces. */
export async function onAccessGranted(
  deps: Pick<SlackDeps, 'organisations' | 'now'>,
  body: { event: TeamAccessGrantedEvent },
): Promise<void> {
  const { organisationId } = tenantOf(body);
  if (organisationId === undefined) return;
  const given = body.event.team_ids.map(workspaceIdOf);
  await deps.organisations.add(organisationId, given, deps.now());
}
