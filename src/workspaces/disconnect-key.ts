import { type ConnectContext, forgetKey } from './connect-key.ts';

/**
 * Removes a workspace's key, or an organisation's default; what waits to be sent waits for the next one.
 *
 * @returns false where no key was connected
 */
export async function disconnectKey(
  ctx: Pick<ConnectContext, 'keys' | 'organisations' | 'service' | 'catalogue' | 'cards' | 'now'>,
  { owner }: { owner: string },
): Promise<boolean> {
  const removed = await ctx.keys.disconnect(owner, ctx.now());
  for (const id of [owner, ...(await ctx.organisations.workspacesOf(owner))]) forgetKey(ctx, id);
  return removed;
}
