import { z } from 'zod';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { Log } from '../../ops/logging.ts';
import type { CardKey, ShownMessage, Thread } from '../../store/watches.ts';
import type { Watching } from '../../watching/begin-watching.ts';
import type { CardFacts, CardView } from './card-view.ts';

/** How a message shows a card: under a link, shared by someone, or as a Work Object in another message of ours. */
export type CardDisplay = z.infer<typeof display>;

const link = z.object({
  /** As Slack reported it. */
  postedAs: z.string(),
  moreLinks: z.number().optional(),
});

const display = z.discriminatedUnion('kind', [
  link.extend({
    kind: z.literal('preview'),
    detail: z.enum(['large', 'small']),
    /** Whether another company sees it, see `CardView`. */
    isExternal: z.boolean().optional(),
    /** Other links of the message to the same card. */
    others: z.array(link).optional(),
  }),
  z.object({
    kind: z.literal('shared'),
    /** Who shared it. */
    by: z.string(),
  }),
  /** As a Work Object in one of our own messages. The rest of the message isn't known, and stays as it is. */
  z.object({ kind: z.literal('own') }),
]);

type Preview = Extract<CardDisplay, { kind: 'preview' }>;

/** @returns undefined if another version of the app wrote it in another way */
export const readDisplay = (stored: object): CardDisplay | undefined =>
  display.safeParse(stored).data;

/** The card under each link of its preview. */
export const linksOf = (view: CardFacts, { others = [], ...first }: Preview): CardView[] =>
  [first, ...others].map(({ postedAs, moreLinks }) => ({ ...view, ...first, postedAs, moreLinks }));

const linkOf = ({ url, postedAs = url, moreLinks }: CardView) => ({ postedAs, moreLinks });

export type WatchedMessages = ReturnType<typeof createWatchedMessages>;

/** The messages that show watched cards, to keep them current. */
export function createWatchedMessages({ watching, log }: { watching: Watching; log: Log }) {
  /** Never rejects, because the message was posted already. */
  async function remember(
    posted: CardKey & { message: ShownMessage & { shown: CardDisplay }; readAt: Date },
  ): Promise<void> {
    try {
      await watching.keepCurrent(posted);
    } catch (error) {
      log.warn({ err: error }, 'could not remember a message that shows a watched card');
    }
  }

  return {
    remember,

    /** Remembers the previews of watched cards under a posted message. Never rejects. */
    async rememberPreviews(
      { workspaceId, channel, ts }: Thread & { workspaceId: WorkspaceId },
      links: readonly CardView[],
    ): Promise<void> {
      for (const [cardId, [first, ...others]] of Map.groupBy(links, ({ card }) => card.id)) {
        if (!first?.isWatched || !first.readAt) continue;
        const { detail, isExternal, readAt } = first;
        const shown: Preview = {
          kind: 'preview',
          ...linkOf(first),
          isExternal,
          others: others.map(linkOf),
          detail: detail === 'large' ? detail : 'small',
        };
        await remember({ workspaceId, cardId, message: { channel, ts, shown }, readAt });
      }
    },
  };
}
