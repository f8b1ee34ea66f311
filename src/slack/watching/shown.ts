import { z } from 'zod';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { CardKey, CardMessage } from '../../store/watches.ts';
import { keepCurrent } from '../../watching/begin-watching.ts';
import type { ShownLink } from '../card/unfurl-content.ts';
import type { SlackDeps } from '../deps.ts';

/** How a message shows a card: under a link, or as a message of ours that someone shared. */
export type Shown = z.infer<typeof shown>;

const shown = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('preview'),
    /** The link as Slack reported it. */
    postedAs: z.string(),
    detail: z.enum(['large', 'small']),
    moreLinks: z.number().optional(),
    /** Whether another company sees it, see `CardView`. */
    isExternal: z.boolean().optional(),
  }),
  z.object({
    kind: z.literal('shared'),
    /** Who shared it. */
    by: z.string(),
  }),
  /** As a Work Object in a message of ours of which nothing else is known, and stays as it is. */
  z.object({ kind: z.literal('own') }),
]);

/** @returns undefined if another version of the app wrote it in another way */
export const readShown = (stored: object): Shown | undefined => shown.safeParse(stored).data;

/** @param preview also with what is not to be remembered */
export const previewShown = ({
  postedAs,
  detail,
  moreLinks,
  isExternal,
}: Omit<Extract<Shown, { kind: 'preview' }>, 'kind'>): Shown => ({
  ...{ kind: 'preview', postedAs, detail },
  ...(moreLinks ? { moreLinks } : {}),
  ...(isExternal ? { isExternal } : {}),
});

/** Remembers the previews of watched cards under a posted message, to keep them current. Never rejects. */
export async function rememberPreviews(
  deps: RememberDeps,
  { workspaceId, channel, ts }: { workspaceId: WorkspaceId; channel: string; ts: string },
  links: readonly ShownLink[],
): Promise<void> {
  const views = links.filter((link) => 'card' in link);
  for (const { card, url, postedAs = url, isWatched, readAt, ...view } of views) {
    if (!isWatched || !readAt) continue;
    const detail = view.detail === 'large' ? view.detail : 'small';
    const shown = previewShown({ ...view, postedAs, detail });
    const message = { channel, ts, shown };
    await rememberMessage(deps, { workspaceId, cardId: card.id, message, readAt });
  }
}

type RememberDeps = Pick<SlackDeps, 'transact' | 'now' | 'log'>;

/** Remembers a message that shows a watched card, to keep it current. Never rejects, because it was posted already. */
export async function rememberMessage(
  deps: RememberDeps,
  posted: CardKey & { message: CardMessage & { shown: Shown }; readAt: Date },
): Promise<void> {
  try {
    await keepCurrent(deps, posted);
  } catch (error) {
    deps.log.warn({ err: error }, 'could not remember a message that shows a watched card');
  }
}
