import type { LinkUnfurls, MessageAttachment } from '@slack/types';
import type { ChatUnfurlArguments } from '@slack/web-api';
import type { WorkspaceSettings } from '../../installations/settings.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import { RetryLaterError } from '../../jobs/retry-later.ts';
import { outcomeOfCall, slackErrorCode, slackRetryAt } from '../client/errors.ts';
import type { SlackClient } from '../client/slack-client.ts';
import type { SlackDeps } from '../deps.ts';
import { fitBlocks } from '../text/blocks.ts';
import { clip, isBlank, MESSAGE_BLOCKS_MAX, wellFormed } from '../text/limits.ts';
import { unfurlAsWorkObjects } from '../work-object/unfurl.ts';
import { buildCardBlocks } from './card-blocks.ts';
import { titleOf } from './card-parts.ts';
import type { CardView } from './card-view.ts';
import { withPicturesIfAccepted } from './pictures.ts';

/** A posted message, or one that is being typed. */
export type UnfurlTarget =
  | { channel: string; ts: string }
  | { source: 'composer'; unfurl_id: string };

export type Unfurling = {
  workspaceId: WorkspaceId;
  settings: WorkspaceSettings;
  target: UnfurlTarget;
  links: readonly CardView[];
};

/**
 * Shows the cards under their links with one `chat.unfurl`, without pictures if Slack can't fetch
 * them. Repeating it replaces what was shown.
 *
 * @returns false if Slack refuses for good, which is logged: the link or message is gone, or the
 *   app may not unfurl there
 * @throws RetryLaterError while Slack limits these calls for the workspace; Slack's error if it may
 *   work later
 */
export async function sendUnfurls(
  deps: Pick<SlackDeps, 'unfurlLimit' | 'workObjects' | 'now' | 'log'>,
  client: SlackClient,
  input: Unfurling,
): Promise<boolean> {
  const { workspaceId, target, links } = input;
  if (links.length === 0) return true;
  const limitedUntil = deps.unfurlLimit.retryAt(workspaceId);
  if (limitedUntil) throw new RetryLaterError(limitedUntil);
  try {
    await unfurlAsWorkObjects(deps, client, input, () =>
      withPicturesIfAccepted(links, (shown) => unfurl(client, target, shown)),
    );
    return true;
  } catch (error) {
    if (outcomeOfCall(error) === 'refused') {
      const code = slackErrorCode(error);
      deps.log.warn({ workspace: workspaceId, code }, 'Slack refused to unfurl a card link');
      return false;
    }
    const until = slackRetryAt(error, deps.now());
    if (!until) throw error;
    deps.unfurlLimit.limit(workspaceId, until);
    throw new RetryLaterError(deps.unfurlLimit.retryAt(workspaceId) ?? until, { cause: error });
  }
}

function unfurl(client: SlackClient, target: UnfurlTarget, views: readonly CardView[]) {
  const call: ChatUnfurlArguments = { ...target, unfurls: buildUnfurls(views) };
  return client.chat.unfurl(call);
}

/** Status colors, as the service writes them. Slack accepts other forms, too. */
const COLOR = /^#[0-9a-f]{6}$/i;

/** Shown of a status in the composer, in characters. */
const SUBTITLE_SHOWN = 100;

/** The attachments of one message by link, with the status's color on the bar. */
export function buildUnfurls(links: readonly CardView[]): LinkUnfurls {
  const share = Math.floor(MESSAGE_BLOCKS_MAX / links.length);
  return Object.fromEntries(
    links.map((link) => [link.postedAs ?? link.url, buildUnfurl(link, share)]),
  );
}

/** @param most how much of the message its blocks may take, see `fitBlocks` */
function buildUnfurl(view: CardView, most: number): MessageAttachment {
  const { card, detail } = view;
  const status = clip(wellFormed(card.status?.name ?? ''), SUBTITLE_SHOWN);
  const color = card.status?.color ?? '';
  return {
    ...(COLOR.test(color) ? { color } : {}),
    blocks: fitBlocks(buildCardBlocks(view), most),
    ...(detail === 'title'
      ? {
          preview: {
            title: { type: 'plain_text', text: titleOf(card) },
            ...(isBlank(status) ? {} : { subtitle: { type: 'plain_text', text: status } }),
          },
        }
      : {}),
  };
}
