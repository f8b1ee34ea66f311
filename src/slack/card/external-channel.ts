import { isDirectMessage } from '../client/direct-messages.ts';
import { outcomeOfCall } from '../client/errors.ts';
import type { SlackDeps } from '../deps.ts';
import { type ActionArgs, workspaceOf } from '../listener/replies.ts';

/**
 * Whether people from another company see a channel. Undefined if Slack doesn't say, as for private
 * channels that the app is not in.
 */
export async function isExternal(
  deps: Pick<SlackDeps, 'conversations'>,
  { client, context }: Pick<ActionArgs, 'client' | 'context'>,
  channelId: string,
): Promise<boolean | undefined> {
  if (isDirectMessage(channelId)) return false;
  try {
    const about = await deps.conversations.describe(client, workspaceOf(context), channelId);
    return about.isExternal;
  } catch (error) {
    if (outcomeOfCall(error) !== 'refused') throw error;
    return undefined;
  }
}
