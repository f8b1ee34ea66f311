import { type ConnectContext, forgetKey } from './connect-key.ts';
import { asWorkspace, type OwnerId } from './workspace-id.ts';

/**
 * Removes a workspace's key, or an organization's default. Requests then wait for a new key.
 *
 * @returns false if no key was connected
 */
export async function disconnectKey(
  ctx: Pick<ConnectContext, 'keys' | 'organizations' | 'service' | 'catalogue' | 'cards' | 'now'>,
  { owner }: { owner: OwnerId },
): Promise<boolean> {
  const removed = await ctx.keys.disconnect(owner, ctx.now());
  const served = [asWorkspace(owner), ...(await ctx.organizations.workspacesOf(owner))];
  for (const id of served) forgetKey(ctx, id);
  return removed;
}
