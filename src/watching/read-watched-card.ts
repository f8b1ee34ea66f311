import type { z } from 'zod';
import type { JobHandler, JobOutcome } from '../jobs/runner.ts';
import type { Log } from '../ops/logging.ts';
import type { CardReader, CardReading } from '../service/cache/card-reader.ts';
import { DesignApiError } from '../service/errors.ts';
import { NotConnectedError } from '../service/service-access.ts';
import type { CardKey, WatchedCard } from '../store/watches.ts';
import { isWatched, readPayload, showPayload, tellPayload, WATCH_JOBS } from './begin-watching.ts';
import { recordGone, recordReading, type WatchContext } from './record-reading.ts';
import {
  isGone,
  isSettled,
  nextReadAt,
  postponedReadAt,
  retryReadAt,
  SHORTEST_MS,
} from './schedule.ts';
import { readSnapshot } from './snapshot.ts';

type ReadContext = WatchContext & { cards: Pick<CardReader, 'read'> };

export type WatchNotifier = {
  /** Draws the card as read at that time or later, wherever it is shown. Can be repeated. */
  show(change: z.infer<typeof showPayload> & CardKey): Promise<void>;
  /** Repeating it tells people again, unless this process knows that they were told. */
  tell(change: z.infer<typeof tellPayload> & CardKey): Promise<void>;
};

const RETRY_MS = 60_000;

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

/** How often to ask the database for a usable key, in ms. Without one, no call is made. */
const KEY_CHECKED_EVERY_MS = 10 * 60_000;

/**
 * Reads a card with a call that nobody else needs, and tells its watchers what changed. The job is
 * postponed between reads, so they survive a restart, and one serves all watchers on all replicas.
 */
export async function readWatchedCard(
  ctx: ReadContext,
  input: CardKey & { watchId: string },
): Promise<JobOutcome> {
  const watched = await ctx.watches.get(input);
  if (watched?.watchId !== input.watchId) return 'done';
  const { status } = readSnapshot(watched.told) ?? {};
  const hasSettled = isSettled(watched.changedAt, status, ctx.now());
  if (hasSettled || !(await isWatched(ctx.watches, watched))) {
    const isEnded = await ctx.transact(({ watches }) => watches.end(watched));
    return isEnded ? 'done' : again(ctx);
  }
  const reading = await read(ctx, watched);
  if ('retryAt' in reading) return reading;
  if ('unreadable' in reading) return unreadable(ctx, watched);
  const next = await recordReading(ctx, watched, reading);
  if (next === 'outdated') return again(ctx);
  return next === 'ended' ? 'done' : { retryAt: next };
}

/** The next attempt, after someone else changed the watch meanwhile. */
const again = ({ now }: ReadContext): JobOutcome => ({ retryAt: retryReadAt(now()) });

/** A temporary failure postpones the read, even if the cache answered instead. */
async function read(
  { cards, now }: ReadContext,
  watched: WatchedCard,
): Promise<CardReading | { retryAt: Date }> {
  const { workspaceId, cardId, told, changedAt } = watched;
  // A card just read for someone else will do; at first, one read since about the watch began.
  const moment = readSnapshot(told) ? now() : changedAt;
  const since = new Date(moment.getTime() - SHORTEST_MS / 2);
  try {
    const reading = await cards.read(workspaceId, cardId, { class: 'watch', since });
    if ('card' in reading && reading.readError) throw reading.readError;
    return reading;
  } catch (error) {
    if (error instanceof NotConnectedError) {
      return { retryAt: new Date(now().getTime() + KEY_CHECKED_EVERY_MS) };
    }
    if (!(error instanceof DesignApiError)) throw error;
    // The service would refuse the same call again.
    if (error.code === 'invalid_request') return { unreadable: 'not_found', readAt: now() };
    const retryAt = error.retryAt ?? now();
    // A slot will be free soon, but after the last call of the minute, all cards have to wait.
    const isWithoutCall = error.code === 'rate_limited' && error.cause !== 'no_slot';
    if (isWithoutCall) return { retryAt: postponedReadAt(changedAt, retryAt) };
    return { retryAt: retryReadAt(retryAt) };
  }
}

/** A refusal may be temporary, so the card counts as deleted only after a day. */
async function unreadable(ctx: ReadContext, watched: WatchedCard): Promise<JobOutcome> {
  const now = ctx.now();
  const { unreadableSince } = watched;
  if (unreadableSince && isGone(unreadableSince, now)) {
    return (await recordGone(ctx, watched)) ? 'done' : again(ctx);
  }
  if (!unreadableSince) await ctx.watches.change(watched, { unreadableSince: now });
  return { retryAt: nextReadAt(unreadableSince ?? now, now) };
}
