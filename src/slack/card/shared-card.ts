import type { KnownBlock } from '@slack/types';
import { z } from 'zod';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { ActionArgs } from '../surface/replies.ts';
import { button, buttonRow, contextIfAny } from '../text/blocks.ts';
import { BUTTON_VALUE_MAX } from '../text/limits.ts';
import { CARD } from '../words/card.ts';
import { sendCardMessage } from './card-blocks.ts';
import type { CardView } from './card-view.ts';
import { CARD_ACTIONS } from './menu.ts';
import type { MessageWithCard } from './message-with-card.ts';
import type { WorkObjects } from './work-objects.ts';

/** The button that posts a card, which only one person sees, in the channel. */
export const shareButton = (url: string, title: string): KnownBlock[] =>
  url.length > BUTTON_VALUE_MAX
    ? []
    : buttonRow([button(CARD_ACTIONS.share, CARD.share, { value: url, about: title })]);

const SHARED_BY = 'shared-by-';

/** Says below a shared card who shared it. The block's ID says so to the app. */
const sharedBy = (userId: string): KnownBlock[] =>
  contextIfAny(CARD.sharedBy(`<@${userId}>`)).map((block) => ({
    ...block,
    block_id: `${SHARED_BY}${userId}`,
  }));

const blocksSchema = z.array(z.object({ block_id: z.string().optional().catch(undefined) }));

/** Who shared the card in whose message a button was pressed; undefined if it isn't a shared card. */
export function sharerOf({ body }: Pick<ActionArgs, 'body'>): string | undefined {
  const blocks = blocksSchema.safeParse(body.message?.blocks).data ?? [];
  const id = blocks.find(({ block_id }) => block_id?.startsWith(SHARED_BY))?.block_id;
  return id?.slice(SHARED_BY.length);
}

/** The same line of a shared card that is shown again; none if the message isn't one. */
export function sharedByAgain(args: ActionArgs): KnownBlock[] {
  const by = sharerOf(args);
  return by === undefined ? [] : sharedBy(by);
}

/** Sends a shared card as a new message, or to be shown again in the same one. */
export async function sendSharedCard(
  workObjects: WorkObjects,
  { workspaceId, view, by }: { workspaceId: WorkspaceId; view: CardView; by: string },
  send: (message: MessageWithCard) => Promise<unknown>,
): Promise<void> {
  const below = sharedBy(by);
  const workObject = await workObjects.part({ workspaceId, view, blocks: below });
  await sendCardMessage(view, below, (message) => send({ ...message, workObject }));
}
