import type { KnownBlock } from '@slack/types';
import { outcomeOfCall } from './errors.ts';
import type { SlackClient } from './slack-client.ts';

export type PostedMessage = { channel: string; ts: string };

/** It is not known whether a message was posted: Slack has no way to post it only once. */
export class PostedPerhapsError extends Error {
  constructor(cause: unknown) {
    super('A message may or may not have been posted.', { cause });
    this.name = 'PostedPerhapsError';
  }
}

/**
 * Posts a message of this app.
 *
 * @param channel a conversation, or a person for the direct messages with that person
 * @returns where it stands
 * @throws PostedPerhapsError, or Slack's error where it certainly was not posted
 */
export async function postMessage(
  client: SlackClient,
  channel: string,
  { text, blocks }: { text: string; blocks?: KnownBlock[] },
): Promise<PostedMessage | undefined> {
  try {
    const posted = await client.chat.postMessage({
      channel,
      text,
      ...(blocks ? { blocks } : {}),
      unfurl_links: false,
      unfurl_media: false,
    });
    return posted.channel && posted.ts ? { channel: posted.channel, ts: posted.ts } : undefined;
  } catch (error) {
    throw outcomeOfCall(error) === 'unknown' ? new PostedPerhapsError(error) : error;
  }
}
