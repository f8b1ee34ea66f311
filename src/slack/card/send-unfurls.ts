import type { ChatUnfurlArguments } from '@slack/web-api';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import { RetryLaterError } from '../../jobs/retry-later.ts';
import { outcomeOfCall, slackErrorCode, slackRetryAt } from '../client/errors.ts';
import type { SlackClient } from '../client/slack-client.ts';
import type { SlackDeps } from '../deps.ts';
import { withPicturesIfTaken } from './picture-refused.ts';
import { buildUnfurls, type ShownLink } from './unfurl-content.ts';

/** The message, or the one being written, whose links are unfurled. */
export type UnfurlTarget =
  | { channel: string; ts: string }
  | { source: 'composer' | 'conversations_history'; unfurl_id: string };

/**
 * Shows the cards under their links, all in one `chat.unfurl`. It may be repeated freely: a second
 * call replaces what the first one showed. If Slack refuses the blocks (for a picture that it can't
 * fetch, say), they go once more without pictures.
 *
 * @returns false if Slack refuses, and would refuse again: the link or its message is gone, or the app
 *   may not unfurl there. The log has said so
 * @throws RetryLaterError while Slack limits these calls for the workspace; Slack's error if it may
 *   work later
 */
export async function sendUnfurls(
  deps: Pick<SlackDeps, 'unfurlLimiter' | 'now' | 'log'>,
  client: SlackClient,
  input: { workspaceId: WorkspaceId; target: UnfurlTarget; links: readonly ShownLink[] },
): Promise<boolean> {
  const { workspaceId, target, links } = input;
  if (links.length === 0) return true;
  const again = deps.unfurlLimiter.ifLost(workspaceId);
  if (again) throw new RetryLaterError(again);
  try {
    await withPicturesIfTaken(links, (shown) => unfurl(client, target, shown));
    return true;
  } catch (error) {
    if (outcomeOfCall(error) === 'refused') {
      const code = slackErrorCode(error);
      deps.log.warn({ workspace: workspaceId, code }, 'Slack refused to unfurl a card link');
      return false;
    }
    const retryAt = slackRetryAt(error, deps.now());
    if (!retryAt) throw error;
    const turn = deps.unfurlLimiter.limited(workspaceId, retryAt);
    throw new RetryLaterError(turn, { cause: error });
  }
}

function unfurl(client: SlackClient, target: UnfurlTarget, views: readonly ShownLink[]) {
  const call: ChatUnfurlArguments = { ...target, unfurls: buildUnfurls(views) };
  return client.chat.unfurl(call);
}
