import type { KnownBlock, Overflow } from '@slack/types';
import { z } from 'zod';
import type { ShownMessage } from '../../store/watches.ts';
import type { Press } from '../interaction/interactions.ts';
import { context, MENU_ACTION, menuOf } from '../text/blocks.ts';
import { CARD, WATCHING } from '../words/card.ts';
import type { CardView } from './card-view.ts';

export const CARD_ACTIONS = {
  menu: MENU_ACTION,
  open: 'card-open',
  refresh: 'card-refresh',
  share: 'card-share',
  again: 'card-request-again',
  showAll: 'card-show-all',
  watch: 'card-watch',
  /** Its value is the card's ID. */
  stopWatching: 'card-stop-watching',
} as const;

/** The entries of a card's menu; their handlers are in `routes.ts`. */
export function cardMenu(shown: RefreshValue): Overflow[] {
  const { cardId } = shown;
  const value = writeRefreshValue(shown);
  return menuOf([
    { actionId: CARD_ACTIONS.refresh, label: CARD.refresh, value },
    { actionId: CARD_ACTIONS.watch, label: WATCHING.watch, value },
    { actionId: CARD_ACTIONS.again, label: CARD.again, value: cardId },
    { actionId: CARD_ACTIONS.showAll, label: CARD.showAll, value: cardId },
  ]);
}

/** The value of Refresh: which card, and how it is shown. */
export type RefreshValue = Pick<CardView, 'moreLinks' | 'isExternal'> & {
  cardId: string;
  detail: 'large' | 'small';
};

/** Short, because it must fit into an option of a menu, next to an action ID. */
export const writeRefreshValue = ({ cardId, detail, moreLinks, isExternal }: RefreshValue) =>
  `${detail}${isExternal ? '/ext' : ''}${moreLinks ? `+${moreLinks}` : ''}:${cardId}`;

const WRITTEN = /^(large|small)(\/ext)?(?:\+(\d{1,4}))?:(.+)$/s;

/** @returns undefined if it isn't this app's */
export function readRefreshValue(text: string | undefined): RefreshValue | undefined {
  const [, detail, external, moreLinks, cardId] = WRITTEN.exec(text ?? '') ?? [];
  if (cardId === undefined) return undefined;
  return {
    cardId,
    detail: detail === 'large' ? 'large' : 'small',
    ...(moreLinks === undefined ? {} : { moreLinks: Number(moreLinks) }),
    ...(external === undefined ? {} : { isExternal: true }),
  };
}

/** How a message shows a card: under links, shared by someone, or as a Work Object in another message of ours. */
export type CardDisplay = z.infer<typeof display>;

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
export const sharedBy = (userId: string): KnownBlock[] => [
  { ...context(CARD.sharedBy(`<@${userId}>`)), block_id: `${SHARED_BY}${userId}` },
];

const blocksSchema = z.array(z.object({ block_id: z.string().optional().catch(undefined) }));

function sharerOf(message: { blocks: unknown }): string | undefined {
  const blocks = blocksSchema.safeParse(message.blocks).data ?? [];
  const id = blocks.find(({ block_id }) => block_id?.startsWith(SHARED_BY))?.block_id;
  return id?.slice(SHARED_BY.length);
}
