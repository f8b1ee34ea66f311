import type { WorkspaceSettings } from '../../installations/settings.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import { RetryLaterError } from '../../jobs/retry-later.ts';
import type { DesignApiError } from '../../service/errors.ts';
import type { Card } from '../../service/operations/read-card.ts';
import type { SlackDeps } from '../deps.ts';
import { type AllowedUser, actorOf, explainServiceError } from '../listener/access.ts';
import {
  type ActionArgs,
  isInOwnWorkObject,
  isInPane,
  pressedValue,
  replyPrivately,
  stringOf,
  workspaceOf,
} from '../listener/replies.ts';
import { timeAgo } from '../text/slack-date.ts';
import { CARD, NOT_SHOWN_EXTERNALLY, REFRESH } from '../words/card.ts';
import { wordsForReadError } from '../words/errors.ts';
import { refreshOwnMessage } from '../work-object/messages.ts';
import { refreshDetails } from '../work-object/present.ts';
import { sendCardMessage } from './card-blocks.ts';
import { titleOf } from './card-parts.ts';
import type { CardView } from './card-view.ts';
import { type DescribeDeps, describeCard } from './describe-card.ts';
import { isExternal } from './external-channel.ts';
import { readRefreshValue } from './menu.ts';
import { sendUnfurls } from './send-unfurls.ts';
import { shareButton, sharedByAgain } from './share.ts';

export type RefreshDeps = DescribeDeps &
  Pick<
    SlackDeps,
    | 'cards'
    | 'cardLinks'
    | 'conversations'
    | 'adminToAsk'
    | 'unfurlLimit'
    | 'workObjects'
    | 'settings'
    | 'log'
  >;

/** Reads a card again and updates it where it is shown: under its link, or in our message. */
export async function onRefresh(
  deps: RefreshDeps,
  args: ActionArgs,
  user: AllowedUser,
): Promise<void> {
  const { workspaceId } = user;
  const { action, body } = args;
  const value = pressedValue(action);
  const button = readRefreshValue(value);
  if (!button) return;
  const { cardId, detail, moreLinks, isExternal: wasExternal } = button;
  if (isInPane(args)) return refreshDetails(deps, args, user, button);
  const url = deps.cardLinks.urlOf(cardId);
  const postedAs = stringOf(body.container.app_unfurl_url) ?? url;

  const settings = await deps.settings.get(workspaceId);
  const refusal = settings.shareExternally
    ? undefined
    : await refuseRefresh(deps, args, wasExternal);
  if (refusal) return replyPrivately(args, refusal);

  const reading = await readAgain(deps, args, { workspaceId, cardId });
  if ('why' in reading) return replyPrivately(args, reading.why);
  const reader = { client: args.client, workspaceId, callClass: 'person' as const };
  const described = await describeCard(deps, reader, reading);
  const view = { ...described, url, postedAs, detail, moreLinks, isExternal: wasExternal };
  await showRefreshed(deps, args, { workspaceId, settings }, view);
  if (reading.note) await replyPrivately(args, reading.note);
}

/** Reads a card again. @returns why not, or the card, perhaps with a note that it isn't current */
export async function readAgain(
  deps: Pick<RefreshDeps, 'cards' | 'adminToAsk'>,
  args: ActionArgs,
  { workspaceId, cardId }: { workspaceId: WorkspaceId; cardId: string },
): Promise<{ why: string } | { card: Card; readAt: Date; note: string | undefined }> {
  const reading = await deps.cards.refresh(workspaceId, cardId).catch(async (error: unknown) => ({
    failed: await explainServiceError(deps, actorOf(args), error),
  }));
  if ('failed' in reading) return { why: reading.failed };
  if ('unreadable' in reading) return { why: REFRESH.gone };
  return { card: reading.card, readAt: reading.readAt, note: noteFor(reading) };
}

/** What to tell the person who pressed Refresh: that the card is not current, and why. */
function noteFor(reading: {
  readAt: Date;
  trouble?: DesignApiError;
  isRepeated?: boolean;
}): string | undefined {
  const { readAt, trouble, isRepeated } = reading;
  if (trouble) return REFRESH.outdated(wordsForReadError(trouble), CARD.asOf(timeAgo(readAt)));
  return isRepeated ? REFRESH.justRead : undefined;
}

/**
 * Everyone in the channel sees the card, including the other company.
 *
 * @param wasExternal whether it did when the card was shown
 */
export async function refuseRefresh(
  deps: RefreshDeps,
  args: ActionArgs,
  wasExternal = false,
): Promise<string | undefined> {
  const channel = stringOf(args.body.container.channel_id);
  if (isPrivate(args) || !channel) return undefined;
  const workspaceId = workspaceOf(args.context);
  const at = { workspaceId, channel, wasExternal };
  return (await isExternal(deps, args.client, at)) ? NOT_SHOWN_EXTERNALLY : undefined;
}

/** Whether the message is visible only to the person who pressed the button. */
const isPrivate = ({ body }: ActionArgs) => body.container.is_ephemeral === true;

async function showRefreshed(
  deps: RefreshDeps,
  args: ActionArgs,
  { workspaceId, settings }: { workspaceId: WorkspaceId; settings: WorkspaceSettings },
  view: CardView,
): Promise<void> {
  if (isInOwnWorkObject(args)) return refreshOwnMessage(deps, args, view);
  const { container } = args.body;
  const channel = stringOf(container.channel_id);
  const ts = stringOf(container.message_ts);
  if (container.type === 'message_attachment' && channel && ts) {
    if (deps.unfurlLimit.isLimited(workspaceId)) {
      return replyPrivately(args, REFRESH.slackIsBusy);
    }
    const input = {
      workspaceId,
      settings,
      target: { channel, ts },
      links: [view],
    };
    const isShown = await sendUnfurls(deps, args.client, input).catch((error: unknown) => {
      if (error instanceof RetryLaterError) return 'limited';
      throw error;
    });
    if (isShown === 'limited') return replyPrivately(args, REFRESH.slackIsBusy);
    return isShown ? undefined : replyPrivately(args, REFRESH.notUpdated);
  }
  const more = isPrivate(args) ? shareButton(view.url, titleOf(view.card)) : sharedByAgain(args);
  await sendCardMessage({ ...view, linksFiles: isPrivate(args) }, more, (message) =>
    args.respond({ replace_original: true, ...message }),
  );
}
