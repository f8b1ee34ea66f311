import { LRUCache } from 'lru-cache';
import { atMost } from '../../bounds.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { SlackClient } from './slack-client.ts';

type Conversation = {
  id: string;
  name: string | undefined;
  isExternal: boolean;
  isArchived: boolean;
  /** Only those whom an admin allows can post there. */
  isReadOnly: boolean;
};

/** How long it takes to notice that a channel is now shared with another company. */
const CACHED_MS = 60_000;
const MAX_CACHED = 5_000;

/** Looks up conversations in Slack and caches them for a minute. */
export function createConversations() {
  const conversations = new LRUCache<
    string,
    Conversation,
    { client: SlackClient; channelId: string }
  >({
    ...atMost(MAX_CACHED),
    ttl: CACHED_MS,
    fetchMethod: async (_key, _stale, { context }) => {
      const { channel } = await context.client.conversations.info({ channel: context.channelId });
      return {
        id: context.channelId,
        name: channel?.name,
        isExternal: Boolean(channel?.is_ext_shared || channel?.is_pending_ext_shared),
        isArchived: Boolean(channel?.is_archived),
        isReadOnly: Boolean(channel?.is_read_only),
      };
    },
  });
  return {
    /** @throws Slack's error; `channel_not_found` for private channels that the app is not in */
    describe: (client: SlackClient, workspaceId: WorkspaceId, channelId: string) =>
      conversations.forceFetch(`${workspaceId}/${channelId}`, { context: { client, channelId } }),
  };
}
