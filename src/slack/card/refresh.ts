import type { WorkspaceSettings } from '../../installations/settings.ts';
import { RetryLaterError } from '../../jobs/retry-later.ts';
import type { SlackDeps } from '../deps.ts';
import type { AllowedUser } from '../listener/access.ts';
import {
  type ActionArgs,
  isInOwnWorkObject,
  isInPane,
  pressedValue,
  replyPrivately,
  stringOf,
  workspaceOf,
} from '../listener/replies.ts';
import { REFRESH } from '../words/card.ts';
import { refreshDetails } from '../work-object/details.ts';
import { refreshOwnMessage } from '../work-object/messages.ts';
import { sendCardMessage } from './card-blocks.ts';
import { titleOf } from './card-text.ts';
import { type CardView, isPrivate } from './card-view.ts';
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
  const shown = { cardId, settings, wasExternal: isExternal };
  const reading = await deps.cardViews.readAgain(args, shown);
  if ('why' in reading) return replyPrivately(args, reading.why);
  const reader = { client: args.client, workspaceId, callClass: 'person' as const };
  const described = await deps.cardViews.describe(reader, reading);
  const url = deps.cardLinks.urlOf(cardId);
  const postedAs = stringOf(args.body.container.app_unfurl_url) ?? url;
  const view = { ...described, url, postedAs, detail, moreLinks, isExternal };
  await showRefreshed(deps, args, settings, view);
  if (reading.note) await replyPrivately(args, reading.note);
}

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
