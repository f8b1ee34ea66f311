import type { SlackDeps } from '../deps.ts';
import { type AllowedUser, actorOf } from '../listener/guard.ts';
import {
  type ActionArgs,
  type HomeOpenedArgs,
  isInHome,
  workspaceOf,
} from '../listener/replies.ts';

type HomeDeps = Pick<SlackDeps, 'homes'>;

/** Someone opened a tab of the app. The Messages tab shows only messages. */
export async function onHomeOpened(
  { homes }: HomeDeps,
  { event, client, context }: HomeOpenedArgs,
): Promise<void> {
  if (event.tab !== 'home') return;
  await homes.open({ client, workspaceId: workspaceOf(context), userId: event.user });
}

/** Runs a button, and draws the Home tab again if it was pressed there. */
export function redrawsHome(
  { homes }: HomeDeps,
  run: (args: ActionArgs, user: AllowedUser) => Promise<void>,
) {
  return async (args: ActionArgs, user: AllowedUser): Promise<void> => {
    await run(args, user);
    if (isInHome(args)) await homes.redraw(actorOf(args));
  };
}
