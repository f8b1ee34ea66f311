import type { KnownBlock } from '@slack/types';
import { z } from 'zod';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { ShownMessage, Thread } from '../../store/watches.ts';
import { outcomeOfCall } from '../client/errors.ts';
import type { SlackClient } from '../client/slack-client.ts';
import type { Press } from '../surface/interactions.ts';
import { contextIfAny } from '../text/blocks.ts';
import { CARD } from '../words/card.ts';
import { sendCardMessage } from './card-blocks.ts';
import type { CardFacts } from './card-view.ts';
import type { RefreshValue } from './menu.ts';
import type { Unfurls } from './send-unfurls.ts';
import { updateWithCard, type WorkObjects } from './work-objects.ts';

/** How a message shows a card: under links, shared by someone, or as a Work Object in another message of ours. */
export type CardDisplay = z.infer<typeof display>;

/** As in `CardView`. */
const link = z.object({ postedAs: z.string(), moreLinks: z.number().optional() });

const display = z.discriminatedUnion('kind', [
  link.extend({
    kind: z.literal('preview'),
    detail: z.enum(['large', 'small']),
    isExternal: z.boolean().optional(),
    /** Other links of the message to the same card. */
    others: z.array(link).optional(),
  }),
  z.object({
    kind: z.literal('shared'),
    /** Who shared it. */
    by: z.string(),
  }),
  /** The rest of the message isn't known, and stays as it is. */
  z.object({ kind: z.literal('own') }),
]);

/** @returns undefined if another version of the app wrote it in another way */
export const readDisplay = (stored: object): CardDisplay | undefined =>
  display.safeParse(stored).data;

/**
 * The message in which, or in whose pane, a button was pressed, and how it shows the card; undefined if only one person
 * sees it. Slack doesn't say what else is in a message with links
 * (docs.slack.dev/messaging/unfurling-links-in-messages).
 *
 * @param preview how the card is shown, if the button is in a preview
 * @param url the card's, for a preview whose link Slack doesn't name
 */
export function shownMessage(
  { message, entity }: Press,
  preview: RefreshValue | undefined,
  url: string,
): (ShownMessage & { shown: CardDisplay }) | undefined {
  if (!message || message.isEphemeral) return undefined;
  const { channel, ts } = message;
  const by = sharerOf(message);
  if (by !== undefined) return { channel, ts, shown: { kind: 'shared', by } };
  if (entity?.isOurs) return { channel, ts, shown: { kind: 'own' } };
  const postedAs = message.previewedUrl ?? (message.isInAttachment ? url : undefined);
  if (!preview || !postedAs) return undefined;
  const { detail, moreLinks, isExternal } = preview;
  return { channel, ts, shown: { kind: 'preview', postedAs, moreLinks, detail, isExternal } };
}

const SHARED_BY = 'shared-by-';

/** Says below a shared card who shared it. The block's ID says so to the app. */
export const sharedBy = (userId: string): KnownBlock[] =>
  contextIfAny(CARD.sharedBy(`<@${userId}>`)).map((block) => ({
    ...block,
    block_id: `${SHARED_BY}${userId}`,
  }));

const blocksSchema = z.array(z.object({ block_id: z.string().optional().catch(undefined) }));

function sharerOf(message: { blocks: unknown }): string | undefined {
  const blocks = blocksSchema.safeParse(message.blocks).data ?? [];
  const id = blocks.find(({ block_id }) => block_id?.startsWith(SHARED_BY))?.block_id;
  return id?.slice(SHARED_BY.length);
}

export type Redraw = ReturnType<typeof createRedraw>;

export function createRedraw({
  unfurls,
  workObjects,
}: {
  unfurls: Unfurls;
  workObjects: WorkObjects;
}) {
  /**
   * Draws a card again in a message that shows it.
   *
   * @param text what notifications show of the message; undefined for the card's title and status
   * @returns false if Slack refuses to change the message
   * @throws RetryLaterError while Slack limits previews; Slack's error if it may work later
   */
  return async (
    client: SlackClient,
    { workspaceId, channel, ts }: Thread & { workspaceId: WorkspaceId },
    facts: CardFacts,
    shown: CardDisplay,
    text?: string,
  ): Promise<boolean> => {
    const target = { channel, ts };
    if (shown.kind === 'preview') {
      const { detail, isExternal, others = [], ...first } = shown;
      const links = [first, ...others].map(({ postedAs, moreLinks }) => ({
        ...facts,
        ...{ postedAs, moreLinks, detail, isExternal },
      }));
      return unfurls.send(client, { workspaceId, target, links });
    }
    const view = { ...facts, detail: 'small' as const };
    const below = shown.kind === 'shared' ? sharedBy(shown.by) : undefined;
    const workObject = await workObjects.part({ workspaceId, view, blocks: below });
    // Without a Work Object, there is nothing to update.
    if (!below && !workObject) return true;
    try {
      await sendCardMessage(view, below ?? [], (message) =>
        updateWithCard(client, target, { ...message, text: text ?? message.text, workObject }),
      );
      return true;
    } catch (error) {
      if (outcomeOfCall(error) !== 'refused') throw error;
      return false;
    }
  };
}
