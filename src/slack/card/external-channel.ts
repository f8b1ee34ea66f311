import type { WorkspaceId } from '../../installations/workspace-id.ts';
import { isDirectMessage } from '../client/direct-messages.ts';
import { outcomeOfCall } from '../client/errors.ts';
import type { SlackClient } from '../client/slack-client.ts';
import type { SlackDeps } from '../deps.ts';

/**
 * Whether people from another company see a channel. Slack doesn't say for direct messages between people, and for
 * private channels that the app is not in.
 *
 * @param at.wasExternal what it said when a message was posted there, which counts then
 * @returns undefined if nothing is known of a channel
 */
export async function isExternal(
  { conversations }: Pick<SlackDeps, 'conversations'>,
  client: SlackClient,
  at: { workspaceId: WorkspaceId; channel: string; wasExternal?: boolean | undefined },
): Promise<boolean | undefined> {
  const { workspaceId, channel, wasExternal } = at;
  if (isDirectMessage(channel)) return wasExternal ?? false;
  try {
    return (await conversations.describe(client, workspaceId, channel)).isExternal;
  } catch (error) {
    if (outcomeOfCall(error) !== 'refused') throw error;
    return wasExternal;
  }
}
