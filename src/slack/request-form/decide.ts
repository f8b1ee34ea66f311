import { type Decision, decideInDoubt } from '../../requests/decide-in-doubt.ts';
import type { SlackDeps } from '../deps.ts';
import { type ActionArgs, replyPrivately, stringOf, workspaceOf } from '../listener/replies.ts';
import { wordsForState } from './request-messages.ts';

type DecideDeps = Pick<SlackDeps, 'requests' | 'transact' | 'now'>;

const DONE: Record<Decision, string> = {
  send_again: 'It goes out again now.',
  it_is_there: 'Noted: it is there. Nothing is sent again.',
  discard: 'Discarded. Nothing is sent.',
};

/** Send again, It is there, Discard: the author's word on a request that is in doubt. */
export async function onDecision(
  deps: DecideDeps,
  args: ActionArgs,
  decision: Decision,
): Promise<void> {
  const { action, body, context } = args;
  const requestId = 'value' in action ? stringOf(action.value) : undefined;
  if (!requestId) return;
  const workspaceId = workspaceOf(context);
  const result = await decideInDoubt(deps, {
    workspaceId,
    userId: body.user.id,
    requestId,
    decision,
  });
  if (result.done) return replyPrivately(args, DONE[decision]);
  const words = result.request
    ? `That was decided already. ${wordsForState(result.request)}`
    : 'Only whoever made this request can decide that.';
  await replyPrivately(args, words);
}
