import type { ChatUnfurlArguments } from '@slack/web-api';
import { RetryLaterError } from '../../jobs/retry-later.ts';
import type { WorkspaceId } from '../../workspaces/workspace-id.ts';
import type { SlackDeps } from '../deps.ts';
import type { SlackClient } from '../slack-client.ts';
import { slackErrorCode, slackRetryAt } from '../slack-errors.ts';
import { withPicturesIfTaken } from './picture-refused.ts';
import { buildUnfurls, type ShownLink } from './unfurl-content.ts';

/** The message, or the one being written, whose links are unfurled. */
export type UnfurlTarget =
  | { channel: string; ts: string }
  | { source: 'composer' | 'conversations_history'; unfurl_id: string };

/** The message, its link or its channel is gone, or unfurls are not wanted there: nothing to repeat. */
const NOTHING_TO_UNFURL = new Set([
  'cannot_unfurl_url',
  'cannot_unfurl_message',
  'cannot_find_channel',
  'cannot_find_message',
  'cannot_find_service',
  'missing_unfurl_id',
]);

/**
 * Shows the cards under their links, all in one `chat.unfurl`. It may be repeated freely: a second
 * call replaces what the first one showed. Where Slack refuses the blocks (a picture that it can't
 * fetch, say), they go once more without pictures.
 *
 * @throws RetryLaterError where Slack limits these calls for the workspace; Slack's error where it
 *   failed otherwise
 */
export async function sendUnfurls(
  deps: Pick<SlackDeps, 'unfurlTurns' | 'now' | 'log'>,
  client: SlackClient,
  input: { workspaceId: WorkspaceId; target: UnfurlTarget; links: readonly ShownLink[] },
): Promise<void> {
  const { workspaceId, target, links } = input;
  if (links.length === 0) return;
  const again = deps.unfurlTurns.ifLost(workspaceId);
  if (again) throw new RetryLaterError(again);
  try {
    await withPicturesIfTaken(links, (shown) => unfurl(client, target, shown));
  } catch (error) {
    const code = slackErrorCode(error);
    if (code && NOTHING_TO_UNFURL.has(code)) {
      deps.log.info({ code }, 'Slack did not want an unfurl');
      return;
    }
    const retryAt = slackRetryAt(error, deps.now());
    if (!retryAt) throw error;
    const turn = deps.unfurlTurns.limited(workspaceId, retryAt);
    throw new RetryLaterError(turn, { cause: error });
  }
}

function unfurl(client: SlackClient, target: UnfurlTarget, views: readonly ShownLink[]) {
  const call: ChatUnfurlArguments = { ...target, unfurls: buildUnfurls(views) };
  return client.chat.unfurl(call);
}
