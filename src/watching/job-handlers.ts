import type { z } from 'zod';
import type { JobHandler } from '../jobs/job-attempts.ts';
import type { Log } from '../ops/logging.ts';
import type { CardKey } from '../store/watches.ts';
import { readPayload, showPayload, tellPayload, WATCH_JOBS } from './jobs.ts';
import { type ReadContext, readWatchedCard } from './read-watched-card.ts';

/** Shows and tells the changes of watched cards. */
export type WatchNotifier = {
  /** Draws the card as it was read at that time, or later, wherever it is shown. Repeating it changes nothing. */
  show(change: z.infer<typeof showPayload> & CardKey): Promise<void>;
  /** Repeating it tells people again, unless this process knows that they were told. */
  tell(change: z.infer<typeof tellPayload> & CardKey): Promise<void>;
};

/** Pause before reading a card again after an error of ours, in ms. */
const RETRY_MS = 60_000;

/** The handlers of the jobs of watched cards. */
export function watchJobHandlers(
  ctx: ReadContext & { notifier: WatchNotifier; log: Log },
): Record<string, JobHandler> {
  return {
    [WATCH_JOBS.read]: async ({ id, workspaceId, payload }) => {
      try {
        return await readWatchedCard(ctx, { workspaceId, ...readPayload.parse(payload) });
      } catch (error) {
        // Without this job, nobody would hear of the card again.
        ctx.log.warn({ job: id, err: error }, 'could not read a watched card, will retry');
        return { retryAt: new Date(ctx.now().getTime() + RETRY_MS) };
      }
    },
    [WATCH_JOBS.show]: async ({ workspaceId, payload }) => {
      await ctx.notifier.show({ ...showPayload.parse(payload), workspaceId });
      return 'done';
    },
    [WATCH_JOBS.tell]: async ({ workspaceId, payload }) => {
      await ctx.notifier.tell({ ...tellPayload.parse(payload), workspaceId });
      return 'done';
    },
  };
}
