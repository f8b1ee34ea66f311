import { isDirectMessage } from '../client/direct-messages.ts';
import { outcomeOfCall } from '../client/errors.ts';
import type { SlackDeps } from '../deps.ts';
import { type ActionArgs, workspaceOf } from '../listener/replies.ts';

export const NOT_SHOWN_OUTSIDE =
  'This channel is shared with another company, so cards are not shown here. A workspace admin can allow it with `/design-request settings`.';

/**
 * Whether people of another company see a channel; undefined where Slack does not say, as of
 * private conversations that the app is not in.
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
