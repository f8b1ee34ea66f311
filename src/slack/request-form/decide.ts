import { type Decision, decideInDoubt } from '../../requests/decide-in-doubt.ts';
import type { SlackDeps } from '../deps.ts';
import {
  type ActionArgs,
  isInHome,
  pressedValue,
  replyPrivately,
  workspaceOf,
} from '../listener/replies.ts';
import { DECIDED, decidedBefore, NOT_YOUR_DECISION, wordsForRequest } from '../words/messages.ts';

type DecideDeps = Pick<SlackDeps, 'requests' | 'transact' | 'now'>;

/** Sends a request in doubt again. */
export const onSendAgain = (deps: DecideDeps, args: ActionArgs): Promise<void> =>
  onDecision(deps, args, 'send_again');

/** Discards a request in doubt, or a rejected one. */
export const onDiscard = (deps: DecideDeps, args: ActionArgs): Promise<void> =>
  onDecision(deps, args, 'discard');

async function onDecision(
  deps: DecideDeps,
  args: ActionArgs,
  decision: Exclude<Decision, 'found'>,
): Promise<void> {
  const { action, body, context } = args;
  const requestId = pressedValue(action);
  if (!requestId) return;
  const workspaceId = workspaceOf(context);
  const result = await decideInDoubt(deps, {
    workspaceId,
    userId: body.user.id,
    requestId,
    decision,
  });
  // The Home tab shows it.
  if (result.done && isInHome(args)) return;
  if (result.done) return replyPrivately(args, DECIDED[decision]);
  const words = result.request ? decidedBefore(wordsForRequest(result.request)) : NOT_YOUR_DECISION;
  await replyPrivately(args, words);
}
