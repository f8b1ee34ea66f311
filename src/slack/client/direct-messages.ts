import type { RespondFn } from '@slack/bolt';
import { WebAPIRateLimitedError } from '@slack/web-api';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { atMost, forAtMost } from '../../clock.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { Log } from '../../ops/logging.ts';
import { type Entries, type EntryKey, entryKind } from '../../store/entries.ts';
import { outcomeOfCall, slackErrorCode } from './errors.ts';
import { type Message, postMessage } from './post-message.ts';
import type { SlackClient } from './slack-client.ts';

/** Whether a conversation is between two people, or a person and the app. The app can post only in the latter. */
export const isDirectMessage = (channelId: string): boolean => channelId.startsWith('D');

const DAY_MS = 24 * 60 * 60_000;
/** The channel in which each person last used the app. Kept for 30 days; commands renew it once a day. */
export const LAST_CHANNEL = entryKind('last_channel', z.string(), 30 * DAY_MS);

type Recipient = { workspaceId: WorkspaceId; userId: string };

/** Where someone used a command or button; a button in a modal has no channel. */
type Use = Recipient & { channelId: string | undefined; respond: RespondFn | undefined };

export type DirectMessages = ReturnType<typeof createDirectMessages>;

/** See `showInChannel`. */
const RESPONSE_URL_EXPIRES_MS = 30 * 60_000;
/** People, and messages. */
const MAX_REMEMBERED = 10_000;

const REFUSED = 'Slack refused a direct message';
const MESSAGES_TAB_OFF = `${REFUSED}: turn on features.app_home.messages_tab_enabled in the app's manifest`;

/** Direct messages, with a fallback for workspaces that refuse them. */
export function createDirectMessages(deps: { entries: Entries; now: () => Date; log: Log }) {
  const { entries, now, log } = deps;
  const replies = new LRUCache<string, RespondFn>({
    ...atMost(MAX_REMEMBERED),
    ...forAtMost(RESPONSE_URL_EXPIRES_MS, now),
  });
  const repeated = new LRUCache<string, true>(atMost(MAX_REMEMBERED));
  const keyOf = ({ workspaceId, userId }: Recipient) => `${workspaceId}/${userId}`;

  function lastChannelOf({ workspaceId: owner, userId: name }: Recipient) {
    return { kind: LAST_CHANNEL, owner, name };
  }

  async function showWhereLastUsed(
    client: SlackClient,
    to: Recipient,
    { text, blocks, withoutPictures }: Message,
  ): Promise<boolean> {
    const shown = { text, blocks: withoutPictures?.() ?? blocks };
    const isFinal = (error: unknown) => error instanceof WebAPIRateLimitedError;
    const respond = replies.get(keyOf(to));
    const where = { client, userId: to.userId, channelId: undefined, respond };
    if (await showInChannel(where, shown, isFinal)) return true;
    const channelId = (await entries.get(lastChannelOf(to)))?.value;
    return showInChannel({ ...where, respond: undefined, channelId }, shown, isFinal);
  }

  /**
   * Sends a direct message. If Slack refuses it permanently, shows it in the channel where the person last used the app,
   * visible only to them: then it can't be updated, and has no position.
   * @throws MaybePostedError, or Slack's error if it may work later
   */
  async function send(client: SlackClient, to: Recipient, message: Message) {
    try {
      return { isDelivered: true, posted: await postMessage(client, to.userId, message) };
    } catch (error) {
      if (outcomeOfCall(error) !== 'refused') throw error;
      const isDelivered = await showWhereLastUsed(client, to, message);
      const code = slackErrorCode(error);
      const about = { workspace: to.workspaceId, code, shownInChannel: isDelivered };
      log.warn(about, code === 'messages_tab_disabled' ? MESSAGES_TAB_OFF : REFUSED);
      return { isDelivered, posted: undefined };
    }
  }

  return {
    send,

    /** The same, but only once for each entry, even if it isn't known whether the message arrived. */
    async sendOnce(once: EntryKey<true>, client: SlackClient, to: Recipient, message: Message) {
      if (await entries.get(once)) return;
      try {
        await send(client, to, message);
      } catch (error) {
        if (outcomeOfCall(error) === 'not_done') throw error;
        const about = { err: error, workspace: to.workspaceId };
        log.info(about, 'a direct message may not have arrived, and is not repeated');
      }
      await entries.put(once, true, now());
    },

    /** Whether to resend a message that may have been posted: once, since a duplicate is better than silence. */
    mayRepeat(message: string): boolean {
      if (repeated.has(message)) return false;
      repeated.set(message, true);
      return true;
    },

    /** Remembers where someone used the app, for when Slack refuses direct messages. Never rejects. */
    async rememberUse(use: Use): Promise<void> {
      const { channelId, respond } = use;
      if (channelId === undefined) return;
      if (respond) replies.set(keyOf(use), respond);
      // The app can't post in direct messages between people, and its own are what Slack refuses.
      if (isDirectMessage(channelId)) return;
      try {
        const key = lastChannelOf(use);
        const stored = await entries.get(key);
        const age = now().getTime() - (stored?.changedAt.getTime() ?? 0);
        if (stored?.value !== channelId || Math.abs(age) > DAY_MS) {
          await entries.put(key, channelId, now());
        }
      } catch (error) {
        log.warn({ err: error }, 'could not store where someone used the app');
      }
    },
  };
}

/**
 * Shows a message in a channel, visible only to one person: with a reply or an ephemeral message. A `response_url` works
 * in channels that the app isn't in, but only five times within 30 minutes
 * (docs.slack.dev/interactivity/handling-user-interaction), and perhaps not in threads (slackapi/bolt-js#963).
 * @returns false if neither works
 * @throws the first error that is final
 */
export async function showInChannel(
  to: {
    client: SlackClient;
    userId: string;
    channelId: string | undefined;
    threadTs?: string | undefined;
    respond: RespondFn | undefined;
  },
  { text, blocks }: Pick<Message, 'text' | 'blocks'>,
  isFinal: (error: unknown) => boolean,
): Promise<boolean> {
  const { client, userId: user, channelId: channel, threadTs, respond } = to;
  const inThread = threadTs ? { thread_ts: threadTs } : {};
  const message = { text, ...(blocks ? { blocks } : {}), ...inThread };
  const reply =
    respond && (() => respond({ response_type: 'ephemeral', replace_original: false, ...message }));
  const ephemeral = channel && (() => client.chat.postEphemeral({ channel, user, ...message }));
  for (const way of threadTs ? [ephemeral, reply] : [reply, ephemeral]) {
    if (!way) continue;
    try {
      await way();
      return true;
    } catch (error) {
      if (isFinal(error)) throw error;
    }
  }
  return false;
}
