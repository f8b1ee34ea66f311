import type { WorkspaceSettings } from '../../installations/settings.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import { RetryLaterError } from '../../jobs/retry-later.ts';
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
import { refreshDetails } from '../work-object/details.ts';
import { refreshOwnMessage } from '../work-object/messages.ts';
import { sendCardMessage } from './card-blocks.ts';
import { titleOf } from './card-text.ts';
import { type CardView, describeCard } from './card-view.ts';
import { readRefreshValue } from './menu.ts';
import { shareButton, sharedByAgain } from './share.ts';

/** Reads a card again and updates it where it is shown: under its link, or in our message. */
export async function onRefresh(
  deps: SlackDeps,
  args: ActionArgs,
  user: AllowedUser,
): Promise<void> {
  const { workspaceId } = user;
  const button = readRefreshValue(pressedValue(args.action));
  if (!button) return;
  const { cardId, detail, moreLinks, isExternal } = button;
  if (isInPane(args)) return refreshDetails(deps, args, user, button);

  const settings = await deps.settings.get(workspaceId);
  const refusal = await refuseRefresh(deps, args, settings, isExternal);
  if (refusal) return replyPrivately(args, refusal);

  const reading = await readAgain(deps, args, { workspaceId, cardId });
  if ('why' in reading) return replyPrivately(args, reading.why);
  const reader = { client: args.client, workspaceId, callClass: 'person' as const };
  const described = await describeCard(deps, reader, reading);
  const url = deps.cardLinks.urlOf(cardId);
  const postedAs = stringOf(args.body.container.app_unfurl_url) ?? url;
  const view = { ...described, url, postedAs, detail, moreLinks, isExternal };
  await showRefreshed(deps, args, settings, view);
  if (reading.note) await replyPrivately(args, reading.note);
}

/** Reads a card again. @returns why not, or the card, perhaps with a note that it isn't current, and why */
export async function readAgain(
  deps: Pick<SlackDeps, 'cards' | 'adminToAsk'>,
  args: ActionArgs,
  { workspaceId, cardId }: { workspaceId: WorkspaceId; cardId: string },
): Promise<{ why: string } | { card: Card; readAt: Date; note: string | undefined }> {
  const reading = await deps.cards.refresh(workspaceId, cardId).catch(async (error: unknown) => ({
    failed: await explainServiceError(deps, actorOf(args), error),
  }));
  if ('failed' in reading) return { why: reading.failed };
  if ('unreadable' in reading) return { why: REFRESH.gone };
  const { card, readAt, trouble, isRepeated } = reading;
  const note = trouble
    ? REFRESH.outdated(wordsForReadError(trouble), CARD.asOf(timeAgo(readAt)))
    : isRepeated
      ? REFRESH.justRead
      : undefined;
  return { card, readAt, note };
}

/** Everyone in the channel sees the card, including the other company. */
export async function refuseRefresh(
  deps: Pick<SlackDeps, 'conversations'>,
  args: ActionArgs,
  settings: WorkspaceSettings,
  wasExternal = false,
): Promise<string | undefined> {
  const channel = stringOf(args.body.container.channel_id);
  if (isPrivate(args) || !channel) return undefined;
  const at = { workspaceId: workspaceOf(args.context), channel, wasExternal };
  return (await deps.conversations.isSeenOutside(args.client, settings, at))
    ? NOT_SHOWN_EXTERNALLY
    : undefined;
}

/** Whether the message is visible only to the person who pressed the button. */
const isPrivate = ({ body }: ActionArgs) => body.container.is_ephemeral === true;

async function showRefreshed(
  deps: SlackDeps,
  args: ActionArgs,
  settings: WorkspaceSettings,
  view: CardView,
): Promise<void> {
  if (isInOwnWorkObject(args)) return refreshOwnMessage(deps.workObjects, args, view);
  const workspaceId = workspaceOf(args.context);
  const { container } = args.body;
  const channel = stringOf(container.channel_id);
  const ts = stringOf(container.message_ts);
  if (container.type === 'message_attachment' && channel && ts) {
    if (deps.unfurls.isLimited(workspaceId)) return replyPrivately(args, REFRESH.slackIsBusy);
    const input = { workspaceId, settings, target: { channel, ts }, links: [view] };
    try {
      const isShown = await deps.unfurls.send(args.client, input);
      return isShown ? undefined : await replyPrivately(args, REFRESH.notUpdated);
    } catch (error) {
      if (!(error instanceof RetryLaterError)) throw error;
      return replyPrivately(args, REFRESH.slackIsBusy);
    }
  }
  const more = isPrivate(args) ? shareButton(view.url, titleOf(view.card)) : sharedByAgain(args);
  await sendCardMessage({ ...view, linksFiles: isPrivate(args) }, more, (message) =>
    args.respond({ replace_original: true, ...message }),
  );
}
