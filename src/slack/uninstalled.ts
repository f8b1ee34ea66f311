import type { Context } from '@slack/bolt';
import type { TokensRevokedEvent } from '@slack/types';
import type { SlackDeps } from './deps.ts';
import { workspaceOf } from './listeners.ts';

type UninstallDeps = Pick<SlackDeps, 'forget'>;

/** The app was removed from the workspace. */
export const onUninstalled = (deps: UninstallDeps, context: Context): Promise<void> =>
  deps.forget(workspaceOf(context));

/** A token was taken away; only the bot's means that the app is gone. */
export async function onTokensRevoked(
  deps: UninstallDeps,
  context: Context,
  { tokens }: TokensRevokedEvent,
): Promise<void> {
  if ((tokens.bot ?? []).length > 0) await deps.forget(workspaceOf(context));
}
