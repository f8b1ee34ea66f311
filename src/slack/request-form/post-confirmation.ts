import type { DesignRequest } from '../../requests/request.ts';
import type { SlackDeps } from '../deps.ts';
import { type PostedMessage, postMessage } from '../post-message.ts';
import type { SlackClient } from '../slack-client.ts';
import { outcomeOfCall, slackErrorCode } from '../slack-errors.ts';
import type { RequestMessage } from './request-messages.ts';

/**
 * Posts where the author wanted it, else to the author in a direct message that says why.
 *
 * @param build makes the message; `why` is set where it is not where it was to be
 * @throws Slack's error where neither can be done for now
 */
export async function postConfirmation(
  deps: Pick<SlackDeps, 'conversations'>,
  client: SlackClient,
  request: DesignRequest,
  build: (why: string | undefined) => RequestMessage,
): Promise<PostedMessage | undefined> {
  const { userId, workspaceId, form } = request;
  if (!form.shareIn) return postMessage(client, userId, build(undefined));
  try {
    const conversation = await deps.conversations.describe(client, workspaceId, form.shareIn);
    if (conversation.isExternal) {
      return await postMessage(
        client,
        userId,
        build(`<#${form.shareIn}> is shared with another company, so this wasn’t posted there.`),
      );
    }
    return await postMessage(client, form.shareIn, build(undefined));
  } catch (error) {
    // What passes is waited for: the message belongs where it was to go.
    if (outcomeOfCall(error) !== 'refused') throw error;
    return postMessage(client, userId, build(whyNotPosted(slackErrorCode(error), form.shareIn)));
  }
}

/** Ids of direct messages begin so; nobody can be invited there, and they have no name to show. */
const DIRECT_MESSAGE = /^D/;

function whyNotPosted(code: string | undefined, channel: string): string {
  if (DIRECT_MESSAGE.test(channel)) {
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
