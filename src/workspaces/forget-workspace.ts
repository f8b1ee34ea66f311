import type { Log } from '../ops/logging.ts';
import type { WorkspaceRows } from '../store/workspace-rows.ts';
import { type ConnectContext, forgetKey } from './connect-key.ts';

export type ForgetContext = Pick<ConnectContext, 'service' | 'catalogue' | 'cards'> & {
  rows: WorkspaceRows;
  /** Asks Slack whether the app is installed there at this moment. */
  isInstalled: (workspaceId: string) => Promise<boolean>;
  /** Takes no new work for the workspace, so that nothing under way brings it back. */
  close: (workspaceId: string) => unknown;
  log: Log;
};

/**
 * Deletes everything of a workspace that uninstalled the app.
 *
 * Slack's `app_uninstalled` and `tokens_revoked` come in either order, doubled, and perhaps after a
 * new install, so neither is believed: Slack is asked whether the app is installed now.
 */
export async function forgetWorkspace(
  ctx: ForgetContext,
  { workspaceId }: { workspaceId: string },
): Promise<void> {
  if (await ctx.isInstalled(workspaceId)) {
    ctx.log.info({ workspace: workspaceId }, 'an uninstall that is over; nothing is deleted');
    return;
  }
  ctx.close(workspaceId);
  forgetKey(ctx, workspaceId);
  const deleted = await ctx.rows.deleteAll(workspaceId);
  ctx.log.info({ workspace: workspaceId, rows: deleted }, 'a workspace was forgotten');
}
