import type { Administrator } from '../store/transact.ts';
import { type ConnectContext, forgetKey } from './connect-key.ts';
import { asWorkspace, type OwnerId } from './workspace-id.ts';

/**
 * Removes a workspace's key, or an organization's default. Requests then wait for a new key.
 *
 * @returns false if no key was connected
 */
export async function disconnectKey(
  ctx: Pick<
    ConnectContext,
    'transact' | 'organizations' | 'service' | 'referenceLists' | 'cards' | 'now'
  >,
  { owner, by }: { owner: OwnerId; by: Administrator },
): Promise<boolean> {
  const removed = await ctx.transact(async ({ administer }) => {
    const { keys, record } = await administer(owner, by);
    const before = await keys.describe(owner);
    if (!(await keys.disconnect(owner, ctx.now()))) return false;
    const changes = [{ field: 'key', before: before?.lastFour }];
    await record({ what: 'key_disconnected', changes }, ctx.now());
    return true;
  });
  const served = [asWorkspace(owner), ...(await ctx.organizations.workspacesOf(owner))];
  for (const id of served) forgetKey(ctx, id);
  return removed;
}
