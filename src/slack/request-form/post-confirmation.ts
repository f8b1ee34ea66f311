import type { DesignRequest } from '../../requests/request.ts';
import { isDirectMessage } from '../client/direct-messages.ts';
import { outcomeOfCall, slackErrorCode } from '../client/errors.ts';
import { type PostedMessage, postMessage } from '../client/post-message.ts';
import type { SlackClient } from '../client/slack-client.ts';
import type { SlackDeps } from '../deps.ts';
import type { RequestMessage } from './request-messages.ts';

/**
 * Posts where the author wanted it, else to the author in a direct message that says why.
 *
 * @param build makes the message; `why` is set where it is not where it was to be
 * @throws Slack's error where neither can be done for now
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
  if (!form.shareIn) return toAuthor();
  try {
    const conversation = await deps.conversations.describe(client, workspaceId, form.shareIn);
    if (conversation.isExternal) {
      return await toAuthor(
        `<#${form.shareIn}> is shared with another company, so this wasn’t posted there.`,
      );
    }
    return await postMessage(client, form.shareIn, build(undefined));
  } catch (error) {
    // What passes is waited for: the message belongs where it was to go.
    if (outcomeOfCall(error) !== 'refused') throw error;
    return toAuthor(whyNotPosted(slackErrorCode(error), form.shareIn));
  }
}

function whyNotPosted(code: string | undefined, channel: string): string {
  // Nobody can be invited there, and it has no name to show.
  if (isDirectMessage(channel)) {
    return 'This app can’t post in direct messages between people, so you get it here.';
  }
  switch (code) {
    case 'not_in_channel':
    case 'channel_not_found':
      return `This app isn’t in <#${channel}>, so it can’t post there. Invite it with \`/invite\` for the next time.`;
    case 'is_archived':
      return `<#${channel}> is archived, so this couldn’t be posted there.`;
    default:
      return `This app may not post in <#${channel}>, so you get it here.`;
  }
}
