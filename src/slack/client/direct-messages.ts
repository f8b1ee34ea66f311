import type { RespondFn } from '@slack/bolt';
import type { KnownBlock } from '@slack/types';
import { WebAPIRateLimitedError } from '@slack/web-api';
import { LRUCache } from 'lru-cache';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { Log } from '../../ops/logging.ts';
import type { LastChannelStore } from '../../store/last-channels.ts';
import { outcomeOfCall, slackErrorCode } from './errors.ts';
import { type PostedMessage, postMessage } from './post-message.ts';
import type { SlackClient } from './slack-client.ts';

/** IDs of direct messages begin with this. */
const DIRECT_MESSAGE = 'D';

/** Whether a conversation is between two people, or a person and the app, which can only post in its own. */
export const isDirectMessage = (channelId: string): boolean => channelId.startsWith(DIRECT_MESSAGE);

type Recipient = { workspaceId: WorkspaceId; userId: string };

/** Where somebody typed a command or pressed a button; a button in a modal names no channel. */
type Use = Recipient & { channelId: string | undefined; respond: RespondFn };

/** Messages to one person. */
export type DirectMessages = {
  /** Remembers where somebody just used the app, for when direct messages are refused. Never rejects. */
  rememberUse(use: Use): Promise<void>;
  /**
   * Sends a direct message. If Slack refuses it for good, shows it where the person last used the app,
   * visible to them alone.
   *
   * @returns whether it was delivered, and where it is if it can be updated
   * @throws PostedPerhapsError, or Slack's error if it may work later
   */
  send(
    client: SlackClient,
    to: Recipient,
    message: { text: string; blocks?: KnownBlock[] },
  ): Promise<{ isDelivered: boolean; posted?: PostedMessage | undefined }>;
};

/** A `response_url` works for 30 minutes (docs.slack.dev/interactivity/handling-user-interaction). */
const RESPOND_WITHIN_MS = 30 * 60_000;
const REMEMBERED_PEOPLE = 10_000;

const REFUSED = 'Slack refused a direct message';
const TAB_OFF = `${REFUSED}: turn on features.app_home.messages_tab_enabled in the app's manifest`;

export function createDirectMessages(deps: {
  lastChannels: LastChannelStore;
  now: () => Date;
  log: Log;
}): DirectMessages {
  const { lastChannels, now, log } = deps;
  const replies = new LRUCache<string, RespondFn>({
    max: REMEMBERED_PEOPLE,
    ttl: RESPOND_WITHIN_MS,
    perf: { now: () => now().getTime() },
  });
  const keyOf = ({ workspaceId, userId }: Recipient) => `${workspaceId}/${userId}`;

  async function isShown(show: () => Promise<unknown>): Promise<boolean> {
    try {
      await show();
      return true;
    } catch (error) {
      if (error instanceof WebAPIRateLimitedError) throw error;
      log.debug({ err: error }, 'a message could not be shown to one person in a channel');
      return false;
    }
  }

  async function showWhereLastUsed(
    client: SlackClient,
    to: Recipient,
    message: { text: string; blocks?: KnownBlock[] },
  ): Promise<boolean> {
    const respond = replies.get(keyOf(to));
    // It works in channels that the app isn't in, which chat.postEphemeral doesn't.
    const reply = { response_type: 'ephemeral' as const, replace_original: false, ...message };
    if (respond && (await isShown(() => respond(reply)))) return true;
    const channel = await lastChannels.get(to.workspaceId, to.userId);
    return (
      channel !== undefined &&
      isShown(() => client.chat.postEphemeral({ channel, user: to.userId, ...message }))
    );
  }

  return {
    async rememberUse(use) {
      const { workspaceId, userId, channelId, respond } = use;
      if (channelId === undefined) return;
      replies.set(keyOf(use), respond);
      // Between two people the app can't post, and its own direct messages are what was refused.
      if (isDirectMessage(channelId)) return;
      await lastChannels.remember(workspaceId, userId, channelId, now()).catch((error) => {
        log.warn({ err: error }, 'where somebody used the app could not be kept');
      });
    },

    async send(client, to, message) {
      try {
        return { isDelivered: true, posted: await postMessage(client, to.userId, message) };
      } catch (error) {
        if (outcomeOfCall(error) !== 'refused') throw error;
        const isDelivered = await showWhereLastUsed(client, to, message);
        const code = slackErrorCode(error);
        const about = { workspace: to.workspaceId, code, shownInChannel: isDelivered };
        log.warn(about, code === 'messages_tab_disabled' ? TAB_OFF : REFUSED);
        return { isDelivered };
      }
    },
  };
}
