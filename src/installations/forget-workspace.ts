import type { Log } from '../ops/logging.ts';
import type { InstallationStore } from '../store/installations.ts';
import type { OrganisationWorkspaceStore } from '../store/organisation-workspaces.ts';
import type { WorkspaceRows } from '../store/workspace-rows.ts';
import { type ConnectContext, forgetKey } from './connect-key.ts';
import {
  asWorkspace,
  type OrganisationId,
  type OwnerId,
  type WorkspaceId,
} from './workspace-id.ts';

export type ForgetContext = Pick<ConnectContext, 'service' | 'catalogue' | 'cards'> & {
  rows: WorkspaceRows;
  installations: Pick<InstallationStore, 'describe' | 'remove'>;
  organisations: Pick<OrganisationWorkspaceStore, 'organisationOf' | 'workspacesOf'>;
  /** Asks Slack whether the app is installed there, or granted there, at this moment. */
  isInstalled: (id: OwnerId, options: { isToldGone: boolean }) => Promise<boolean>;
  isGranted: (workspaceId: WorkspaceId, organisationId: OrganisationId) => Promise<boolean>;
  /** Work for it is refused from now on, on this replica at once. */
  close: (id: OwnerId) => unknown;
  now: () => Date;
  log: Log;
};

/** Slack's clock and ours differ by less: a delivery that is older or newer is refused. In ms. */
const SLACK_CLOCK_DIFFERS_MS = 5 * 60_000;

/**
 * Deletes everything of a workspace, or of an organisation with its workspaces, that no longer has the
 * app.
 *
 * Slack's `app_uninstalled` and `tokens_revoked` come in either order, doubled, late, and perhaps after a
 * new install, so neither is believed. One that is older than the install is over; for any other, Slack is
 * asked. What it says holds for the install that it was asked about: one that comes meanwhile is kept.
 *
 * @param input.id a workspace or an organisation
 * @param input.at when it is said to have left, if somebody says so
 * @returns whether it was forgotten
 * @throws Slack's error where it does not say, with nothing deleted
 */
export async function forgetWorkspace(
  ctx: ForgetContext,
  { id, at }: { id: OwnerId; at?: Date | undefined },
): Promise<boolean> {
  const install = await ctx.installations.describe(id);
  if (
    isOver(install?.installedAt, at, ctx.now()) ||
    (install && (await ctx.isInstalled(id, { isToldGone: at !== undefined })))
  ) {
    if (at) ctx.log.info({ workspace: id }, 'an uninstall that is over; nothing is deleted');
    return false;
  }
  const organisationId = await ctx.organisations.organisationOf(id);
  if (organisationId !== undefined && (await ctx.isGranted(asWorkspace(id), organisationId))) {
    ctx.log.info({ workspace: id, organisation: organisationId }, 'it has the app still');
    if (install) await ctx.installations.remove({ id, version: install.version });
    ctx.close(id);
    return false;
  }
  // Known only through the organisation, which is gone after this.
  const workspaceIds = await ctx.organisations.workspacesOf(id);
  const deleted = await ctx.rows.deleteAll(id, install);
  // After the deletion: what is read from now on finds nothing.
  ctx.close(id);
  forgetKey(ctx, asWorkspace(id));
  if (deleted === undefined) {
    ctx.log.info({ workspace: id }, 'installed again meanwhile; nothing is deleted');
    return false;
  }
  ctx.log.info({ workspace: id, rows: deleted }, 'a workspace was forgotten');
  for (const workspaceId of workspaceIds) await forgetWorkspace(ctx, { id: workspaceId });
  return true;
}

/** Whether the workspace is said to have left before it installed the app. */
function isOver(installedAt: Date | undefined, leftAt: Date | undefined, now: Date): boolean {
  // An install of the future was kept by a clock that has been set back since, so nobody can tell.
  if (!installedAt || !leftAt || installedAt > now) return false;
  return leftAt.getTime() < installedAt.getTime() - SLACK_CLOCK_DIFFERS_MS;
}
