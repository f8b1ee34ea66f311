import { LRUCache } from 'lru-cache';
import { atMost } from '../../clock.ts';
import type { WorkspaceSettingsStore } from '../../installations/settings.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { Log } from '../../ops/logging.ts';
import { NOT_POSTED } from '../words/messages.ts';
import { isDirectMessage } from './direct-messages.ts';
import { outcomeOfCall, slackErrorCode } from './errors.ts';
import type { SlackClient } from './slack-client.ts';

type Conversation = {
  name: string | undefined;
  isExternal: boolean;
  isArchived: boolean;
  /** Only those whom an admin allows can post there. */
  isReadOnly: boolean;
};

type Channel = {
  workspaceId: WorkspaceId;
  channel: string;
  /** What Slack said when a message was posted there. Used if Slack doesn't say now. */
  wasExternal?: boolean | undefined;
};

/** How long it takes to notice that a channel is now shared with another company, in ms. */
const CACHED_MS = 60_000;
const MAX_CACHED = 5_000;

export type Conversations = ReturnType<typeof createConversations>;

export function createConversations(deps: { settings: WorkspaceSettingsStore; log: Log }) {
  const { settings, log } = deps;
  const cached = new LRUCache<string, Conversation, { client: SlackClient; channelId: string }>({
    ...atMost(MAX_CACHED),
    ttl: CACHED_MS,
    fetchMethod: async (_key, _stale, { context }) => {
      const { channel } = await context.client.conversations.info({ channel: context.channelId });
      return {
        name: channel?.name,
        isExternal: Boolean(channel?.is_ext_shared || channel?.is_pending_ext_shared),
        isArchived: Boolean(channel?.is_archived),
        isReadOnly: Boolean(channel?.is_read_only),
      };
    },
  });

  /** @throws Slack's error; `channel_not_found` for private channels that the app is not in */
  const describe = (client: SlackClient, workspaceId: WorkspaceId, channelId: string) =>
    cached.forceFetch(`${workspaceId}/${channelId}`, { context: { client, channelId } });

  /**
   * Whether people from another company see a channel; undefined if nothing is known. Slack doesn't say
   * for direct messages between people, and for private channels that the app is not in.
   */
  async function isExternal(client: SlackClient, { workspaceId, channel, wasExternal }: Channel) {
    if (isDirectMessage(channel)) return wasExternal ?? false;
    try {
      return (await describe(client, workspaceId, channel)).isExternal;
    } catch (error) {
      if (outcomeOfCall(error) !== 'refused') throw error;
      return wasExternal;
    }
  }

  const allowsExternal = async (workspaceId: WorkspaceId) =>
    (await settings.get(workspaceId)).shareExternally;

  /** Why the app can't post there, as far as Slack says. @throws Slack's error without an answer */
  async function postingProblem(client: SlackClient, workspaceId: WorkspaceId, channel: string) {
    // Apps can't be invited to a direct message, and it has no name to show.
    if (isDirectMessage(channel)) return NOT_POSTED.directMessage;
    try {
      const found = await describe(client, workspaceId, channel);
      if (found.isExternal) return NOT_POSTED.sharedChannel(mention(channel));
      return found.isArchived ? NOT_POSTED.archived(mention(channel)) : undefined;
    } catch (error) {
      if (outcomeOfCall(error) !== 'refused') throw error;
      return wordsForNotPosted(error, channel);
    }
  }

  return {
    describe,
    isExternal,
    postingProblem,
    allowsExternal,

    /** A chosen channel, if the app can't post there. Never rejects: the confirmation says so, too. */
    async unpostableChannel(
      { client, workspaceId }: { client: SlackClient; workspaceId: WorkspaceId },
      channel: string | undefined,
    ): Promise<string | undefined> {
      if (channel === undefined) return undefined;
      try {
        if (await postingProblem(client, workspaceId, channel)) return channel;
        // An admin may have allowed the app, so the confirmation is tried there all the same.
        return (await describe(client, workspaceId, channel)).isReadOnly ? channel : undefined;
      } catch (error) {
        log.info({ err: error }, 'could not check whether the app can post in a channel');
        return undefined;
      }
    },

    /** Whether another company would see a card there, and no admin allows that; undefined if nothing is known. */
    wouldLeakExternally: async (client: SlackClient, at: Channel): Promise<boolean | undefined> =>
      !(await allowsExternal(at.workspaceId)) && isExternal(client, at),
  };
}

const mention = (channel: string) => `<#${channel}>`;

export function wordsForNotPosted(error: unknown, channel: string): string {
  switch (slackErrorCode(error)) {
    case 'not_in_channel':
    case 'channel_not_found':
      return NOT_POSTED.notInChannel(mention(channel));
    case 'is_archived':
      return NOT_POSTED.archived(mention(channel));
    default:
      return NOT_POSTED.refused(mention(channel));
  }
}
