import type { WorkspaceId } from '../installations/workspace-id.ts';
import type { Log } from '../ops/logging.ts';
import type { CardReader, CardReading } from '../service/cache/card-reader.ts';
import type { JobStore } from '../store/jobs.ts';
import type { WatchStore } from '../store/watches.ts';
import { readJobIdentity } from './jobs.ts';
import { type NoteContext, noteCard } from './note-card.ts';

/**
 * A card reader that tells the watchers of a card what someone's Refresh finds, instead of at the next read, which comes
 * sooner then.
 */
export function noteRefreshes(
  ctx: NoteContext & { watches: WatchStore; jobTable: Pick<JobStore, 'bringForward'>; log: Log },
  cards: CardReader,
): CardReader {
  async function note(workspaceId: WorkspaceId, cardId: string, reading: CardReading) {
    if (!('card' in reading)) return;
    const watched = await ctx.watches.get({ workspaceId, cardId });
    if (!watched) return;
    const noted = await noteCard(ctx, watched, reading);
    if (noted instanceof Date)
      await ctx.jobTable.bringForward(readJobIdentity(watched.watchId), noted);
  }

  return {
    ...cards,
    async refresh(workspaceId, cardId) {
      const reading = await cards.refresh(workspaceId, cardId);
      // Nobody waits for it, and the next read finds the same.
      note(workspaceId, cardId, reading).catch((error) =>
        ctx.log.warn({ err: error }, 'could not tell the watchers of a refreshed card'),
      );
      return reading;
    },
  };
}
