import type { JobOutcome } from '../jobs/job-attempts.ts';
import type { CardReader, CardReading } from '../service/cache/card-reader.ts';
import { DesignApiError } from '../service/errors.ts';
import { NotConnectedError } from '../service/service-access.ts';
import type { Transact } from '../store/transact.ts';
import type { CardKey, WatchedCard, WatchStore } from '../store/watches.ts';
import { isWatched } from './begin-watching.ts';
import { noteCard, noteGone } from './note-card.ts';
import {
  isGone,
  isSettled,
  nextReadAt,
  postponedReadAt,
  retryReadAt,
  type WatchSchedule,
} from './schedule.ts';
import { readSnapshot } from './snapshot.ts';

export type ReadContext = {
  watches: WatchStore;
  cards: Pick<CardReader, 'read'>;
  transact: Transact;
  schedule: WatchSchedule;
  now: () => Date;
};

/** Without a usable key no call is made, so this only asks the database whether there is one again. In ms. */
const KEY_CHECKED_EVERY_MS = 10 * 60_000;

/**
 * Reads a watched card with a call that nobody else needs, and tells its watchers what changed. The job itself is
 * postponed between reads, so they survive a restart, and one read serves all watchers across all replicas.
 */
export async function readWatchedCard(
  ctx: ReadContext,
  input: CardKey & { watchId: string },
): Promise<JobOutcome> {
  const watched = await ctx.watches.get(input);
  if (watched?.watchId !== input.watchId) return 'done';
  if (hasSettled(watched, ctx.now()) || !(await isWatched(ctx.watches, watched))) {
    return end(ctx, watched);
  }
  const reading = await read(ctx, watched);
  if ('retryAt' in reading) return reading;
  if ('unreadable' in reading) return unreadable(ctx, watched);
  const noted = await noteCard(ctx, watched, reading);
  if (noted === 'outdated') return again(ctx);
  return noted === 'ended' ? 'done' : { retryAt: noted };
}

const hasSettled = (watched: WatchedCard, now: Date) =>
  isSettled({ ...watched, status: readSnapshot(watched.told)?.status }, now);

async function end(ctx: ReadContext, watched: WatchedCard): Promise<JobOutcome> {
  const isEnded = await ctx.transact(({ watches }) => watches.end(watched));
  return isEnded ? 'done' : again(ctx);
}

/** If someone else changed the watch meanwhile. */
const again = ({ schedule, now }: ReadContext): JobOutcome => ({
  retryAt: retryReadAt(schedule, now()),
});

/** Failures that may pass postpone the read; a card from the cache isn't news. */
async function read(
  { cards, schedule, now }: ReadContext,
  watched: WatchedCard,
): Promise<CardReading | { retryAt: Date }> {
  const { workspaceId, cardId, told, changedAt } = watched;
  // What someone else has just read is as good. To begin with, its watchers know what they saw when they began.
  const moment = readSnapshot(told) ? now() : changedAt;
  const since = new Date(moment.getTime() - schedule.shortestMs / 2);
  try {
    const reading = await cards.read(workspaceId, cardId, { class: 'watch', since });
    if ('card' in reading && reading.trouble) throw reading.trouble;
    return reading;
  } catch (error) {
    if (error instanceof NotConnectedError) {
      return { retryAt: new Date(now().getTime() + KEY_CHECKED_EVERY_MS) };
    }
    if (!(error instanceof DesignApiError)) throw error;
    // The service would refuse the same call again.
    if (error.code === 'invalid_request') return { unreadable: 'not_found', readAt: now() };
    const retryAt = error.retryAt ?? now();
    const isWithoutCall = error.code === 'rate_limited';
    if (isWithoutCall) return { retryAt: postponedReadAt(schedule, watched, retryAt) };
    return { retryAt: retryReadAt(schedule, retryAt) };
  }
}

/** A refusal may be temporary, so the card is taken to be deleted only after a day. */
async function unreadable(ctx: ReadContext, watched: WatchedCard): Promise<JobOutcome> {
  const now = ctx.now();
  const { unreadableSince } = watched;
  if (unreadableSince && isGone(unreadableSince, now)) {
    return (await noteGone(ctx, watched)) ? 'done' : again(ctx);
  }
  if (!unreadableSince) await ctx.watches.change(watched, { unreadableSince: now });
  const since = { changedAt: unreadableSince ?? now };
  return { retryAt: nextReadAt(ctx.schedule, since, now) };
}
