import type { KnownBlock } from '@slack/types';
import type { SlackDeps } from '../deps.ts';
import { type ActionArgs, replyPrivately, stringOf, workspaceOf } from '../listeners.ts';
import { refuseReading } from '../permissions.ts';
import { slackErrorCode } from '../slack-errors.ts';
import { BUTTON_VALUE_MAX } from '../text/limits.ts';
import { wordsForReadError } from '../wording.ts';
import { buildCardBlocks, titleOf } from './card-blocks.ts';
import { brandNameOf } from './card-view.ts';
import { CARD_ACTIONS } from './ids.ts';

type ShareDeps = Pick<
  SlackDeps,
  'settings' | 'cards' | 'catalogue' | 'cardLinks' | 'people' | 'conversations'
>;

/** Offers to show a card, which so far one person sees, to the whole channel. */
export function shareButton(url: string): KnownBlock {
  return {
    type: 'actions',
    elements: [
      {
        type: 'button',
        action_id: CARD_ACTIONS.share,
        value: url.slice(0, BUTTON_VALUE_MAX),
        text: { type: 'plain_text', text: 'Share in this channel' },
      },
    ],
  };
}

/** Posts the card where the button was pressed, if everybody there may see it. */
export async function onShare(deps: ShareDeps, args: ActionArgs): Promise<void> {
  const { action, body, client, context } = args;
  const workspaceId = workspaceOf(context);
  const cardId = deps.cardLinks.cardIdOf(('value' in action && stringOf(action.value)) || '');
  const channel = body.channel?.id;
  if (cardId === undefined || !channel) return;

  const settings = await deps.settings.get(workspaceId);
  const person = await deps.people.whoIs(client, workspaceId, body.user.id);
  const refusal =
    refuseReading(person, settings) ??
    (settings.shareExternally ? undefined : await refuseExternal(deps, args, channel));
  if (refusal) return replyPrivately(args, refusal);

  try {
    const reading = await deps.cards.read(workspaceId, cardId);
    if ('unreadable' in reading) return replyPrivately(args, 'This card can’t be read any more.');
    const { card } = reading;
    const url = deps.cardLinks.urlOf(cardId);
    const brandName = brandNameOf(card, deps.catalogue.peekFormOptions(workspaceId)?.brands);
    await client.chat.postMessage({
      channel,
      text: titleOf(card),
      blocks: buildCardBlocks({ card, url, detail: 'full', brandName }),
      unfurl_links: false,
    });
  } catch (error) {
    const code = slackErrorCode(error);
    await replyPrivately(args, code ? CANNOT_POST : wordsForReadError(error));
  }
}

const CANNOT_POST = 'This app can’t post here. Invite it with `/invite`, then try again.';

async function refuseExternal(
  deps: ShareDeps,
  { client, context }: ActionArgs,
  channel: string,
): Promise<string | undefined> {
  try {
    const { isExternal } = await deps.conversations.describe(client, workspaceOf(context), channel);
    return isExternal
      ? 'This channel is shared with another company, so cards are not shown here. A workspace admin can allow it with `/design-request settings`.'
      : undefined;
  } catch (error) {
    // Slack does not describe private conversations that the app is not in; it can't post there either.
    if (slackErrorCode(error) === undefined) throw error;
    return CANNOT_POST;
  }
}
