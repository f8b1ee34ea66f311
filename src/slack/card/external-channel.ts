import type { WorkspaceSettings } from '../../installations/settings.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import { isDirectMessage } from '../client/direct-messages.ts';
import { outcomeOfCall } from '../client/errors.ts';
import type { SlackClient } from '../client/slack-client.ts';
import type { SlackDeps } from '../deps.ts';

type Channel = {
  workspaceId: WorkspaceId;
  channel: string;
  /** What Slack said when a message was posted there. It counts if Slack doesn't say it now. */
  wasExternal?: boolean | undefined;
};

/**
 * Whether people from another company see a channel. Slack doesn't say for direct messages between people, and for
 * private channels that the app is not in.
 *
 * @returns undefined if nothing is known of a channel
 */
export async function isExternal(
  { conversations }: Pick<SlackDeps, 'conversations'>,
  client: SlackClient,
  { workspaceId, channel, wasExternal }: Channel,
): Promise<boolean | undefined> {
  if (isDirectMessage(channel)) return wasExternal ?? false;
  try {
    return (await conversations.describe(client, workspaceId, channel)).isExternal;
  } catch (error) {
    if (outcomeOfCall(error) !== 'refused') throw error;
    return wasExternal;
  }
}

/** Whether another company would see a card there, and no admin allows that. */
export const isSeenOutside = async (
  deps: Pick<SlackDeps, 'conversations'>,
  client: SlackClient,
  { shareExternally }: WorkspaceSettings,
  at: Channel,
): Promise<boolean> => !shareExternally && (await isExternal(deps, client, at)) === true;
