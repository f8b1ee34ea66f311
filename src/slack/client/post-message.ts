import { LRUCache } from 'lru-cache';
import { atMost } from '../../bounds.ts';
import { type MessageWithCard, postWithCard } from '../card/message-with-card.ts';
import { outcomeOfCall } from './errors.ts';
import type { SlackClient } from './slack-client.ts';

export type MessageToPost = { text: string } & Partial<MessageWithCard>;

export type PostedMessage = { channel: string; ts: string };

/**
 * The outcome of posting a message is unknown. Slack can't deduplicate messages, so a retry may
 * post it twice.
 */
export class MaybePostedError extends Error {
  constructor(cause: unknown) {
    super('A message may or may not have been posted.', { cause });
    this.name = 'MaybePostedError';
  }
}

const MAX_REMEMBERED = 10_000;

/** Whether to resend a message that may have been posted: once, since a duplicate is better than silence. */
export function createOnceMore() {
  const repeated = new LRUCache<string, true>(atMost(MAX_REMEMBERED));
  return (message: string): boolean => {
    if (repeated.has(message)) return false;
    repeated.set(message, true);
    return true;
  };
}

/**
 * Posts a message without unfurls, in a conversation, or to a user's ID.
 *
 * @throws MaybePostedError, or Slack's error if the message was certainly not posted
 */
export async function postMessage(
  client: SlackClient,
  channel: string,
  message: MessageToPost,
  threadTs?: string,
): Promise<PostedMessage | undefined> {
  try {
    const posted = await postWithCard(
      client,
      { channel, ...(threadTs === undefined ? {} : { thread_ts: threadTs }) },
      message,
    );
    return posted.channel && posted.ts ? { channel: posted.channel, ts: posted.ts } : undefined;
  } catch (error) {
    throw outcomeOfCall(error) === 'unknown' ? new MaybePostedError(error) : error;
  }
}
