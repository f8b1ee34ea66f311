import { RetryLaterError } from '../../jobs/retry-later.ts';
import type { DesignApiError } from '../../service/errors.ts';
import type { SlackDeps } from '../deps.ts';
import type { AllowedUser } from '../listener/guard.ts';
import { type ActionArgs, replyPrivately, stringOf, workspaceOf } from '../listener/replies.ts';
import { wordsForReadError, wordsForServiceTrouble } from '../words/errors.ts';
import { asOfIfOld, asOfInWords } from './as-of.ts';
import { brandNameOf } from './brand-name.ts';
import { sendCardMessage } from './card-message.ts';
import type { CardView } from './card-view.ts';
import { isExternal, NOT_SHOWN_OUTSIDE } from './external-channel.ts';
import { readRefreshValue } from './refresh-value.ts';
import { sendUnfurls } from './send-unfurls.ts';
import { shareButton } from './share.ts';
import { cardLinksIn } from './unfurl-content.ts';

type RefreshDeps = Pick<
  SlackDeps,
  'cards' | 'catalogue' | 'cardLinks' | 'conversations' | 'unfurlLimiter' | 'now' | 'log'
>;

/** Reads a shown card afresh and shows it again where it stands: under its link, or in our message. */
export async function onRefresh(
  deps: RefreshDeps,
  args: ActionArgs,
  { workspaceId, settings }: AllowedUser,
): Promise<void> {
  const { action } = args;
  const pressed = readRefreshValue('value' in action ? stringOf(action.value) : undefined);
  if (!pressed) return;
  const { url: postedAs, detail } = pressed;
  const [link] = cardLinksIn([{ url: postedAs }], deps.cardLinks.cardIdOf);
  if (!link) return;
  const { cardId, url } = link;

  const refusal = settings.shareExternally ? undefined : await refuseRefresh(deps, args);
  if (refusal) return replyPrivately(args, refusal);

  const reading = await deps.cards
    .refresh(workspaceId, cardId)
    .catch((error: unknown) => ({ failed: wordsForServiceTrouble(error) }));
  if ('failed' in reading) return replyPrivately(args, reading.failed);
  if ('unreadable' in reading) {
    return replyPrivately(
      args,
      'This card can’t be read any more: it is gone, or the API key may not see it.',
    );
  }
  const { card, readAt } = reading;
  const brandName = await brandNameOf(deps.catalogue, workspaceId, card, 'person');
  const asOf = asOfIfOld(readAt, deps.now());
  await showAgain(deps, args, { card, url, postedAs, detail, brandName, asOf });
  const words = wordsFor(reading);
  if (words) await replyPrivately(args, words);
}

const JUST_READ =
  'This card was read a moment ago, and that is what you see. Refresh asks your design service again after ten seconds.';

/** What whoever pressed Refresh must know: that the card is not read afresh, and why. */
function wordsFor(reading: {
  readAt: Date;
  trouble?: DesignApiError;
  isRepeated?: boolean;
}): string | undefined {
  const { readAt, trouble, isRepeated } = reading;
  if (trouble) return `${wordsForReadError(trouble)} You see the card ${asOfInWords(readAt)}.`;
  return isRepeated ? JUST_READ : undefined;
}

/** Everybody in the channel sees the card, the other company too. */
async function refuseRefresh(deps: RefreshDeps, args: ActionArgs): Promise<string | undefined> {
  const channel = stringOf(args.body.container.channel_id);
  if (isPrivate(args) || !channel) return undefined;
  // Where Slack does not say, it was asked when the card was first shown.
  return (await isExternal(deps, args, channel)) ? NOT_SHOWN_OUTSIDE : undefined;
}

/** Whether only the person who pressed the button sees the message that it is in. */
const isPrivate = ({ body }: ActionArgs) => body.container.is_ephemeral === true;

const SLACK_IS_BUSY =
  'Slack takes only so many changes a minute, so the card stays as it was. Try again in a minute.';

const NOT_UPDATED = 'Slack doesn’t let this app update that preview.';

async function showAgain(deps: RefreshDeps, args: ActionArgs, view: CardView): Promise<void> {
  const { container } = args.body;
  const channel = stringOf(container.channel_id);
  const ts = stringOf(container.message_ts);
  if (container.type === 'message_attachment' && channel && ts) {
    if (deps.unfurlLimiter.isClosed(workspaceOf(args.context))) {
      return replyPrivately(args, SLACK_IS_BUSY);
    }
    const input = {
      workspaceId: workspaceOf(args.context),
      target: { channel, ts },
      links: [view],
    };
    const isShown = await sendUnfurls(deps, args.client, input).catch((error: unknown) => {
      if (error instanceof RetryLaterError) return 'limited';
      throw error;
    });
    if (isShown === 'limited') return replyPrivately(args, SLACK_IS_BUSY);
    return isShown ? undefined : replyPrivately(args, NOT_UPDATED);
  }
  const share = isPrivate(args) ? shareButton(view.url) : [];
  await sendCardMessage(view, share, (message) =>
    args.respond({ replace_original: true, ...message }),
  );
}
