import type { SlackDeps } from '../deps.ts';
import { type ActionArgs, replyPrivately, stringOf, workspaceOf } from '../listeners.ts';
import { refuseReading } from '../permissions.ts';
import { wordsForReadError } from '../wording.ts';
import { buildCardBlocks, titleOf } from './card-blocks.ts';
import type { CardView } from './card-view.ts';
import { brandNameOf } from './card-view.ts';
import { readRefreshValue } from './refresh-value.ts';
import { sendUnfurls } from './send-unfurls.ts';

type RefreshDeps = Pick<
  SlackDeps,
  'settings' | 'cards' | 'catalogue' | 'cardLinks' | 'people' | 'now' | 'log'
>;

/** Reads a shown card afresh and shows it again where it stands: under its link, or in our message. */
export async function onRefresh(deps: RefreshDeps, args: ActionArgs): Promise<void> {
  const { action, body, client, context } = args;
  const workspaceId = workspaceOf(context);
  const pressed = readRefreshValue('value' in action ? stringOf(action.value) : undefined);
  const cardId = pressed && deps.cardLinks.cardIdOf(pressed.url);
  if (!pressed || cardId === undefined) return;

  const person = await deps.people.whoIs(client, workspaceId, body.user.id);
  const refusal = refuseReading(person, await deps.settings.get(workspaceId));
  if (refusal) return replyPrivately(args, refusal);

  const reading = await deps.cards
    .read(workspaceId, cardId, { fresh: true })
    .catch((error: unknown) => ({ failed: wordsForReadError(error) }));
  if ('failed' in reading) return replyPrivately(args, reading.failed);
  if ('unreadable' in reading) {
    return replyPrivately(
      args,
      'This card can’t be read any more: it is gone, or the API key may not see it.',
    );
  }
  const brands = deps.catalogue.peekFormOptions(workspaceId)?.brands;
  const brandName = brandNameOf(reading.card, brands);
  await showAgain(deps, args, { card: reading.card, ...pressed, brandName });
}

async function showAgain(deps: RefreshDeps, args: ActionArgs, view: CardView): Promise<void> {
  const { container } = args.body;
  const channel = stringOf(container.channel_id);
  const ts = stringOf(container.message_ts);
  if (container.type === 'message_attachment' && channel && ts) {
    return sendUnfurls(deps, args.client, { channel, ts }, [view]);
  }
  await args.respond({
    replace_original: true,
    text: titleOf(view.card),
    blocks: buildCardBlocks(view),
  });
}
