import { z } from 'zod';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { CardKey, ShownMessage } from '../../store/watches.ts';
import { keepCurrent } from '../../watching/begin-watching.ts';
import type { CardFacts, CardView } from '../card/card-view.ts';
import type { SlackDeps } from '../deps.ts';

/** How a message shows a card: under links, or as a message of ours that someone shared. */
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
  /** As a Work Object in a message of ours of which nothing else is known, and stays as it is. */
  z.object({ kind: z.literal('own') }),
]);

type Preview = Extract<CardDisplay, { kind: 'preview' }>;

/** @returns undefined if another version of the app wrote it in another way */
export const readDisplay = (stored: object): CardDisplay | undefined =>
  display.safeParse(stored).data;

/** The card under each link of its preview. */
export const linksOf = (
  view: CardFacts & { url: string },
  { others = [], ...first }: Preview,
): CardView[] =>
  [first, ...others].map(({ postedAs, moreLinks }) => ({ ...view, ...first, postedAs, moreLinks }));

/** Remembers the previews of watched cards under a posted message, to keep them current. Never rejects. */
export async function rememberPreviews(
  deps: SlackDeps,
  { workspaceId, channel, ts }: { workspaceId: WorkspaceId; channel: string; ts: string },
  links: readonly CardView[],
): Promise<void> {
  for (const [cardId, [first, ...others]] of Map.groupBy(links, ({ card }) => card.id)) {
    if (!first?.isWatched || !first.readAt) continue;
    const { detail, isExternal, readAt } = first;
    const shownAs: Preview = {
      kind: 'preview',
      ...linkOf(first),
      isExternal,
      others: others.map(linkOf),
      detail: detail === 'large' ? detail : 'small',
    };
    const message = { channel, ts, shown: shownAs };
    await rememberMessage(deps, { workspaceId, cardId, message, readAt });
  }
}

const linkOf = ({ url, postedAs = url, moreLinks }: CardView) => ({ postedAs, moreLinks });

/** Remembers a message that shows a watched card, to keep it current. Never rejects, because it was posted already. */
export async function rememberMessage(
  deps: SlackDeps,
  posted: CardKey & { message: ShownMessage & { shown: CardDisplay }; readAt: Date },
): Promise<void> {
  try {
    await keepCurrent(deps, posted);
  } catch (error) {
    deps.log.warn({ err: error }, 'could not remember a message that shows a watched card');
  }
}
