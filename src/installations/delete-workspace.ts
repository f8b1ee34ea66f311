import { setTimeout as sleep } from 'node:timers/promises';
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
  /** Refuses work for it from now on: on this replica immediately, on others within seconds. */
  close: (id: OwnerId) => unknown;
  log: Log;
};

/**
 * Deletes everything of a workspace that no longer has the app, or of an organization with its workspaces.
 *
 * Slack sends `app_uninstalled` and `tokens_revoked` in any order, repeatedly, late, and possibly after a
 * reinstallation. So Slack is asked whether the app is installed now. An installation that is added meanwhile is kept.
 *
 * @param input.at the time of the uninstall event, if there was one
 * @returns whether it was deleted
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

/** Slack retries an uninstall event for about six minutes, so the app misses it if it is down for longer. */
const CHECK_EVERY_MS = 24 * 60 * 60_000;
/** Delayed, to keep the start fast; in ms. */
const FIRST_CHECK_MS = 5_000;
/** Between two workspaces, in ms. */
const PAUSE_MS = 200;

/**
 * Asks Slack, soon after the start and then daily, whether the app is still installed in each workspace.
 *
 * @returns a function that stops this
 */
export function keepFindingMissedUninstalls(deps: {
  installations: Pick<InstallationStore, 'list'>;
  deleteIfUninstalled: (id: OwnerId) => Promise<void>;
  log: Log;
  firstCheckMs?: number;
  pauseMs?: number;
}): () => void {
  const { installations, deleteIfUninstalled, log } = deps;
  const { firstCheckMs = FIRST_CHECK_MS, pauseMs = PAUSE_MS } = deps;
  const ending = new AbortController();

  async function checkAll(): Promise<void> {
    for (const id of await installations.list()) {
      await sleep(pauseMs, undefined, { signal: ending.signal });
      // If Slack doesn't answer, it is asked again tomorrow.
      await deleteIfUninstalled(id).catch((error) =>
        log.debug({ err: error, workspace: id }, 'Slack did not say whether the app is installed'),
      );
    }
  }
  const run = () =>
    void checkAll().catch((error) => {
      if (!ending.signal.aborted) log.warn({ err: error }, 'could not look for missed uninstalls');
    });

  const first = setTimeout(run, firstCheckMs);
  const daily = setInterval(run, CHECK_EVERY_MS);
  return () => {
    clearTimeout(first);
    clearInterval(daily);
    ending.abort();
  };
}
