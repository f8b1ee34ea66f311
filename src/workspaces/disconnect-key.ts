import { type ConnectContext, forgetKey } from './connect-key.ts';

/**
 * Removes the workspace's key; what waits to be sent waits for the next one.
 *
 * @returns false where no key was connected
 */
export async function disconnectKey(
  ctx: Pick<ConnectContext, 'keys' | 'service' | 'catalogue' | 'cards' | 'now'>,
  { workspaceId }: { workspaceId: string },
): Promise<boolean> {
  const removed = await ctx.keys.disconnect(workspaceId, ctx.now());
  forgetKey(ctx, workspaceId);
  return removed;
}
