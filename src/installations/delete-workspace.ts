import type { Log } from '../ops/logging.ts';
import type { InstallationStore } from '../store/installations.ts';
import type { OrganizationWorkspaceStore } from '../store/organization-workspaces.ts';
import type { WorkspaceRows } from '../store/workspace-rows.ts';
import { forgetKey } from './connect-key.ts';
import {
  asWorkspace,
  type OrganizationId,
  type OwnerId,
  type WorkspaceId,
} from './workspace-id.ts';

type DeleteContext = Parameters<typeof forgetKey>[0] & {
  rows: WorkspaceRows;
  installations: Pick<InstallationStore, 'describe' | 'remove'>;
  organizations: Pick<OrganizationWorkspaceStore, 'organizationOf' | 'workspacesOf'>;
  /** Ask Slack whether the app is installed now, or granted by the organization. */
  isInstalled: (id: OwnerId, options: { isUninstallReported: boolean }) => Promise<boolean>;
  isGranted: (workspaceId: WorkspaceId, organizationId: OrganizationId) => Promise<boolean>;
  /** Drops what is in memory. */
  close: (id: OwnerId) => unknown;
  log: Log;
};

/**
 * Deletes everything of a workspace without the app, or of an organization and its workspaces.
 *
 * Slack sends `app_uninstalled` and `tokens_revoked` in any order, repeatedly, late, and possibly after
 * a reinstallation, so it is asked whether the app is installed. One installed meanwhile is kept.
 *
 * @param input.at the time of the uninstall event, if there was one
 * @throws Slack's error if it doesn't answer; nothing is deleted then
 */
export async function deleteWorkspace(
  ctx: DeleteContext,
  { id, at }: { id: OwnerId; at?: Date | undefined },
): Promise<boolean> {
  const install = await ctx.installations.describe(id);
  if (install && (await ctx.isInstalled(id, { isUninstallReported: at !== undefined }))) {
    if (at) ctx.log.info({ workspace: id }, 'ignored an uninstall event: the app is installed');
    return false;
  }
  const organizationId = await ctx.organizations.organizationOf(id);
  if (organizationId !== undefined && (await ctx.isGranted(asWorkspace(id), organizationId))) {
    const about = { workspace: id, organization: organizationId };
    ctx.log.info(about, 'a workspace still has the app, from its organization');
    if (install) await ctx.installations.remove({ id, version: install.version });
    ctx.close(id);
    return false;
  }
  // Read before the organization is deleted.
  const workspaceIds = await ctx.organizations.workspacesOf(id);
  const deleted = await ctx.rows.deleteAll(id, install);
  // After the deletion, so that nothing is cached again.
  ctx.close(id);
  forgetKey(ctx, asWorkspace(id));
  if (deleted === undefined) {
    ctx.log.info({ workspace: id }, 'deleted nothing: the app was installed again meanwhile');
    return false;
  }
  ctx.log.info({ workspace: id, rows: deleted }, 'deleted the data of a workspace');
  for (const workspaceId of workspaceIds) await deleteWorkspace(ctx, { id: workspaceId });
  return true;
}
