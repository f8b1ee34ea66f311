import type { Log } from '../ops/logging.ts';
import type { CardReader, CardReading } from '../service/cache/card-reader.ts';
import type { JobStore } from '../store/jobs.ts';
import type { Transact } from '../store/stores.ts';
import type { CardKey, WatchedCard, WatchStore } from '../store/watches.ts';
import { audiencesOf, readJobIdentity, showJob, tellJob } from './begin-watching.ts';
import { isDone } from './finished.ts';
import { COLLECT_MS, inALaterSecond, nextReadAt } from './schedule.ts';
import {
  type CardChanges,
  compare,
  isAnotherCard,
  matchAttached,
  readCreatedSnapshot,
  readSnapshot,
  snapshotOf,
} from './snapshot.ts';

export type WatchContext = { watches: WatchStore; transact: Transact; now: () => Date };

type Read = Extract<CardReading, { card: unknown }>;

/**
 * Compares a card with what its watchers know. The new snapshot and the jobs that announce it are one
 * commit, so every change is announced, and none twice.
 *
 * @returns when to read it again; `outdated` if another process may know better
 */
export async function recordReading(
  ctx: WatchContext,
  watched: WatchedCard,
  { card, readAt }: Read,
): Promise<Date | 'ended' | 'outdated'> {
  const before = readSnapshot(watched.told);
  if (!before) return recordFirst(ctx, watched, { card, readAt });
  // For example from this replica's cache, after another one noticed a change.
  if (readAt < watched.changedAt) return 'outdated';
  if (isAnotherCard(before, card)) {
    const isEnded = await ctx.transact(({ watches }) => watches.end(watched));
    return isEnded ? 'ended' : 'outdated';
  }
  const compared = compare(before, card);
  if (!compared) {
    if (watched.unreadableSince) await ctx.watches.change(watched, { unreadableSince: null });
    return nextReadAt(watched.changedAt, ctx.now());
  }
  const { after, changes } = compared;
  const announceAt = changes && collectedUntil(ctx, watched, changes);
  if (announceAt) return announceAt;
  const now = ctx.now();
  const change = {
    told: after,
    changedAt: now,
    unreadableSince: null,
    ...(changes ? { toldAt: now } : {}),
  };
  return commit(ctx, watched, { change, news: changes, readAt });
}

/** The only possible news: a card that was created here is done already. */
async function recordFirst(ctx: WatchContext, watched: WatchedCard, { card, readAt }: Read) {
  const created = readCreatedSnapshot(watched.told);
  const told = snapshotOf(card, matchAttached(created?.attached ?? [], card.files).missing);
  const isNews = created !== undefined && isDone(told.status);
  const news = isNews ? { status: { to: told.status }, isFinished: true } : undefined;
  const now = ctx.now();
  const change = { told, ...(news ? { changedAt: now, toldAt: now } : {}) };
  return commit(ctx, watched, { change, news, readAt });
}

/** Files arrive one after the other, so they are announced together, unless the status changed. */
function collectedUntil(
  { now }: WatchContext,
  { toldAt }: WatchedCard,
  { status, due, files }: CardChanges,
): Date | undefined {
  if (status || due || !files || !toldAt) return undefined;
  const until = new Date(toldAt.getTime() + COLLECT_MS);
  return until > now() ? until : undefined;
}

function commit(
  { transact, now }: WatchContext,
  watched: WatchedCard,
  input: {
    change: Parameters<WatchStore['change']>[1];
    news: CardChanges | undefined;
    readAt: Date;
  },
): Promise<Date | 'outdated'> {
  const { change, news, readAt } = input;
  return transact(async ({ watches, jobs }) => {
    const revision = await watches.change(watched, change);
    if (revision === undefined) return 'outdated';
    const changed = { ...watched, ...change, revision, unreadableSince: undefined };
    const show = showJob(changed, readAt);
    // The first read comes late enough.
    await jobs.add(change.changedAt ? inALaterSecond(show, now()) : show, now());
    if (news) {
      const isFirst = !watched.toldAt;
      for (const to of audiencesOf(await watches.watchersOf(watched))) {
        await jobs.add(tellJob(changed, { to, news, readAt, isFirst }), now());
      }
    }
    return nextReadAt(changed.changedAt, now());
  });
}

/** Tells the watchers, and ends the watch. @returns false if another process has changed it */
export function recordGone({ transact, now }: WatchContext, watched: WatchedCard) {
  // A new revision, since the same people were told about the change that has the current one.
  const end = { ...watched, revision: watched.revision + 1 };
  return transact(async ({ watches, jobs }) => {
    const audiences = audiencesOf(await watches.watchersOf(watched));
    if (!(await watches.end(watched))) return false;
    for (const to of audiences) {
      await jobs.add(tellJob(end, { to, news: 'gone', readAt: now() }), now());
    }
    return true;
  });
}

/** Tells a card's watchers at once what someone's Refresh finds, and brings the next read forward. */
export function recordRefreshes(
  ctx: WatchContext & { jobTable: Pick<JobStore, 'bringForward'>; log: Log },
  cards: CardReader,
): CardReader {
  async function record(card: CardKey, reading: CardReading) {
    if (!('card' in reading)) return;
    const watched = await ctx.watches.get(card);
    if (!watched) return;
    const next = await recordReading(ctx, watched, reading);
    if (next instanceof Date) {
      await ctx.jobTable.bringForward(readJobIdentity(watched.watchId), next);
    }
  }

  return {
    ...cards,
    async refresh(workspaceId, cardId) {
      const reading = await cards.refresh(workspaceId, cardId);
      // Nobody waits for it, and the next read finds the same.
      record({ workspaceId, cardId }, reading).catch((error) =>
        ctx.log.warn({ err: error }, 'could not tell the watchers of a refreshed card'),
      );
      return reading;
    },
  };
}
