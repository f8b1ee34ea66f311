import type { WorkspaceId } from '../../installations/workspace-id.ts';
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
  const { form } = request;
  const toAuthor = async (why?: string) =>
    (await deps.directMessages.send(client, request, build(why))).posted;
  // Nobody else needs to hear of a draft.
  if (!form.shareIn || form.isDraft) return toAuthor();
  const why = await whyNotPosted(deps, client, request, form.shareIn);
  if (why) return toAuthor(why);
  try {
    return await postMessage(client, form.shareIn, build(undefined));
  } catch (error) {
    // Retry transient failures, since the message belongs in that channel.
    if (outcomeOfCall(error) !== 'refused') throw error;
    return toAuthor(wordsForRefusal(error, form.shareIn));
  }
}

/** Why a confirmation that is drawn again isn't where the author chose. */
export async function whyElsewhere(
  deps: Pick<SlackDeps, 'conversations'>,
  client: SlackClient,
  request: DesignRequest,
): Promise<string | undefined> {
  const { shareIn, isDraft } = request.form;
  const { message } = request;
  if (!shareIn || isDraft || !message || message.channel === shareIn) return undefined;
  return (
    (await whyNotPosted(deps, client, request, shareIn)) ?? NOT_POSTED.refused(mention(shareIn))
  );
}

/**
 * Why the app can't post in a conversation, as far as Slack says so beforehand.
 *
 * @throws Slack's error if it doesn't answer right now
 */
async function whyNotPosted(
  { conversations }: Pick<SlackDeps, 'conversations'>,
  client: SlackClient,
  { workspaceId }: Pick<DesignRequest, 'workspaceId'>,
  channel: string,
): Promise<string | undefined> {
  // Apps can't be invited there, and it has no name to show.
  if (isDirectMessage(channel)) return NOT_POSTED.directMessage;
  try {
    const { isExternal, isArchived } = await conversations.describe(client, workspaceId, channel);
    if (isExternal) return NOT_POSTED.sharedChannel(mention(channel));
    return isArchived ? NOT_POSTED.archived(mention(channel)) : undefined;
  } catch (error) {
    if (outcomeOfCall(error) !== 'refused') throw error;
    return wordsForRefusal(error, channel);
  }
}

/** A chosen channel, if the app can't post there. Never rejects: the confirmation says so, too. */
export async function channelWithoutPosts(
  deps: Pick<SlackDeps, 'conversations' | 'log'>,
  client: SlackClient,
  workspaceId: WorkspaceId,
  channel: string | undefined,
): Promise<string | undefined> {
  if (channel === undefined) return undefined;
  try {
    if (await whyNotPosted(deps, client, { workspaceId }, channel)) return channel;
    // An admin may have allowed the app, so the confirmation is tried there all the same.
    const { isReadOnly } = await deps.conversations.describe(client, workspaceId, channel);
    return isReadOnly ? channel : undefined;
  } catch (error) {
    deps.log.info({ err: error }, 'could not check whether the app can post in a channel');
    return undefined;
  }
}

const mention = (channel: string) => `<#${channel}>`;

function wordsForRefusal(error: unknown, channel: string): string {
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
