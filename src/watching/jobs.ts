import { z } from 'zod';
import type { NewJob } from '../store/jobs.ts';
import type { CardKey, CardWatcher, WatchedCard } from '../store/watches.ts';
import { type CardChanges, cardChanges } from './snapshot.ts';

/** The kinds of jobs of watched cards, as stored in the job table. */
export const WATCH_JOBS = {
  read: 'read-watched-card',
  show: 'show-watched-card',
  tell: 'tell-watchers',
} as const;

export const readJobIdentity = (watchId: string) => `${WATCH_JOBS.read}/${watchId}`;

/** Reads the card, again and again: the job is postponed in between. */
export const readJob = (card: CardKey & { watchId: string }, runAt: Date): NewJob => ({
  kind: WATCH_JOBS.read,
  workspaceId: card.workspaceId,
  identity: readJobIdentity(card.watchId),
  payload: { cardId: card.cardId, watchId: card.watchId },
  runAt,
});

export const readPayload = z.object({ cardId: z.string(), watchId: z.string() });

/**
 * Updates the card, as it was read at that time, wherever it is shown.
 *
 * @param message if given, updates only this one
 */
export const showJob = (
  { workspaceId, cardId, watchId, revision }: WatchedCard,
  readAt: Date,
  message?: z.infer<typeof place>,
): NewJob => ({
  kind: WATCH_JOBS.show,
  workspaceId,
  identity: [
    WATCH_JOBS.show,
    watchId,
    revision,
    ...(message ? [message.channel, message.ts] : []),
  ].join('/'),
  payload: {
    cardId,
    readAt: readAt.getTime(),
    revision,
    message: message && { channel: message.channel, ts: message.ts },
  },
});

/** A message, or the thread below it. */
const place = z.object({ channel: z.string(), ts: z.string() });

const moment = z.number().transform((ms) => new Date(ms));

export const showPayload = z.object({
  cardId: z.string(),
  readAt: moment,
  /** Of the change. */
  revision: z.number(),
  message: place.optional(),
});

/** Where one message about a change goes. */
export type Audience = z.infer<typeof audience>;

const audience = z.object({
  /** Who asked to hear about the card here. */
  userIds: z.array(z.string()),
  /** Undefined for a direct message, to one person. */
  thread: place.optional(),
});

/** What a message about a card says: what changed, or that the card is gone. */
export type News = CardChanges | 'gone';

/**
 * Tells one audience about one change. The identity follows from the revision, which changes by compare-and-swap, so
 * nobody is told twice about the same change.
 */
export const tellJob = (
  watched: Pick<WatchedCard, 'workspaceId' | 'cardId' | 'watchId' | 'revision'>,
  { to, news, readAt, isFirst }: { to: Audience; news: News; readAt: Date; isFirst?: boolean },
): NewJob => ({
  kind: WATCH_JOBS.tell,
  workspaceId: watched.workspaceId,
  identity: [
    WATCH_JOBS.tell,
    watched.watchId,
    watched.revision,
    ...(to.thread ? [to.thread.channel, to.thread.ts] : to.userIds),
  ].join('/'),
  payload: {
    cardId: watched.cardId,
    source: { watchId: watched.watchId, revision: watched.revision },
    to,
    news,
    readAt: readAt.getTime(),
    isFirst,
  },
});

export const tellPayload = z.object({
  cardId: z.string(),
  source: z.object({ watchId: z.string(), revision: z.number() }),
  to: audience,
  news: z.union([z.literal('gone'), cardChanges]),
  readAt: moment,
  /** Whether this is the first change of the card that anyone is told. */
  isFirst: z.boolean().optional(),
});

/** One message for each thread, and one for each person without a thread. */
export function audiencesOf(watchers: readonly CardWatcher[]): Audience[] {
  const threads = new Map<string, Audience>();
  const people: Audience[] = [];
  for (const { userId, thread } of watchers) {
    if (!thread) {
      people.push({ userIds: [userId] });
      continue;
    }
    const key = `${thread.channel}/${thread.ts}`;
    const told = threads.get(key);
    if (told) told.userIds.push(userId);
    else threads.set(key, { userIds: [userId], thread });
  }
  return [...threads.values(), ...people];
}
