import type { DesignRequest } from '../../requests/request.ts';
import { isDirectMessage } from '../client/direct-messages.ts';
import { outcomeOfCall, slackErrorCode } from '../client/errors.ts';
import { type PostedMessage, postMessage } from '../client/post-message.ts';
import type { SlackClient } from '../client/slack-client.ts';
import type { SlackDeps } from '../deps.ts';
import { NOT_POSTED } from '../words/messages.ts';
import type { RequestMessage } from './request-messages.ts';

/**
 * Posts the confirmation in the channel that the author chose, or sends it to the author with the
 * reason why not there.
 *
 * @param build `why` is the reason, if it wasn't posted there
 * @throws Slack's error if neither works right now
 */
export async function postConfirmation(
  deps: Pick<SlackDeps, 'conversations' | 'directMessages'>,
  client: SlackClient,
  request: DesignRequest,
  build: (why: string | undefined) => RequestMessage,
): Promise<PostedMessage | undefined> {
  const { workspaceId, form } = request;
  const toAuthor = async (why?: string) =>
    (await deps.directMessages.send(client, request, build(why))).posted;
  // Nobody else needs to hear of a draft.
  if (!form.shareIn || form.isDraft) return toAuthor();
  try {
    const conversation = await deps.conversations.describe(client, workspaceId, form.shareIn);
    if (conversation.isExternal) {
      return await toAuthor(NOT_POSTED.sharedChannel(mention(form.shareIn)));
    }
    return await postMessage(client, form.shareIn, build(undefined));
  } catch (error) {
    // Retry transient failures, since the message belongs in that channel.
    if (outcomeOfCall(error) !== 'refused') throw error;
    return toAuthor(whyNotPosted(slackErrorCode(error), form.shareIn));
  }
}

/** Why a confirmation that is drawn again stands elsewhere than the author chose; Slack's reason isn't known any more. */
export function whyElsewhere({ form, message }: DesignRequest): string | undefined {
  const { shareIn, isDraft } = form;
  if (!shareIn || isDraft || !message || message.channel === shareIn) return undefined;
  return isDirectMessage(shareIn)
    ? NOT_POSTED.directMessage
    : NOT_POSTED.elsewhere(mention(shareIn));
}

const mention = (channel: string) => `<#${channel}>`;

function whyNotPosted(code: string | undefined, channel: string): string {
  // Apps can't be invited there, and it has no name to show.
  if (isDirectMessage(channel)) {
    return NOT_POSTED.directMessage;
  }
  switch (code) {
    case 'not_in_channel':
    case 'channel_not_found':
      return NOT_POSTED.notInChannel(mention(channel));
    case 'is_archived':
      return NOT_POSTED.archived(mention(channel));
    default:
      return NOT_POSTED.notAllowed(mention(channel));
  }
}
