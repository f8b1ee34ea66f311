import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Log } from '../ops/logging.ts';
import { type DesignRequest, filesOf } from '../requests/request.ts';
import type { Card } from '../service/operations/card.ts';
import type { NewJob } from '../store/jobs.ts';
import type { Transact } from '../store/stores.ts';
import {
  type CardKey,
  type CardWatcher,
  isSameThread,
  type ShownMessage,
  type Thread,
  type WatchedCard,
  type WatchStore,
} from '../store/watches.ts';
import { FIRST_READ_MS, inALaterSecond } from './schedule.ts';
import { type CardChanges, cardChanges, snapshotOf } from './snapshot.ts';

/**
 * Watches the card that a request became, for its author, in the commit that stores this.
 *
 * @returns the job to add; undefined if the card isn't known, or someone watches it already
 */
export async function watchCreated(
  watches: WatchStore,
  { workspaceId, cardId, id, userId, form }: DesignRequest,
  now: Date,
): Promise<NewJob | undefined> {
  if (cardId === undefined) return undefined;
  const card = { workspaceId, cardId };
  const told = { attached: filesOf(form).map(({ name }) => name) };
  const { watchId } = await watches.begin(card, { watchId: id, requestId: id, told }, now);
  await watches.addWatcher(card, { userId }, now);
  const firstRead = new Date(now.getTime() + FIRST_READ_MS);
  return watchId === id ? readJob({ ...card, watchId }, firstRead) : undefined;
}

export type Watching = ReturnType<typeof createWatching>;

export function createWatching(deps: { transact: Transact; now: () => Date; log: Log }) {
  const { transact, log } = deps;
  return {
    /**
     * @param input.thread where to tell them; in a direct message if undefined
     * @param input.known as last read: they hear of changes since then, or else since its next read
     * @param input.message shows the card, and is kept current
     * @returns false if they watch it already
     */
    watch(
      input: CardKey & {
        userId: string;
        known?: { card: Card; readAt: Date } | undefined;
        thread?: Thread | undefined;
        message?: ShownMessage | undefined;
      },
    ): Promise<boolean> {
      const { userId, known, thread, message } = input;
      const told = known && snapshotOf(known.card);
      const watchId = randomUUID();
      const now = deps.now();
      return transact(async ({ requests, watches, jobs }) => {
        // If the card was created here, its first watch may have ended.
        const requestId = (await requests.getByCard(input.workspaceId, input.cardId))?.id;
        const watched = await watches.begin(input, { watchId, requestId, told }, now);
        const isNew = watched.watchId === watchId;
        if (isNew) await jobs.add(readJob(watched, now), now);
        // Its next read may be hours away: a card that has been quiet is read rarely.
        else await jobs.bringForward(readJobIdentity(watched.watchId), now);
        const isNewMessage = message && (await watches.touchMessage(input, message, now));
        // Posted messages may show it as it was. If nothing is known of it, its first read draws them.
        if (isNew && known) await jobs.add(showJob(watched, known.readAt), now);
        if (!isNew && isNewMessage)
          await jobs.add(showJob(watched, watched.changedAt, message), now);
        return watches.addWatcher(input, { userId, thread }, now);
      });
    },

    /** For a message that shows a watched card. Never rejects, because it was posted. */
    async keepCurrent(card: CardKey, posted: { message: ShownMessage; readAt: Date }) {
      const { message, readAt } = posted;
      const now = deps.now();
      try {
        await transact(async ({ watches, jobs }) => {
          await watches.addMessage(card, message, now);
          const watched = await watches.get(card);
          // The process that noticed a change since then may not have known of the message.
          if (watched && watched.changedAt > readAt) {
            await jobs.add(inALaterSecond(showJob(watched, watched.changedAt, message), now), now);
          }
        });
      } catch (error) {
        log.warn({ err: error }, 'could not remember a message that shows a watched card');
      }
    },

    /**
     * Stops telling a person about a card. If they ask in a thread, nothing is posted there any
     * more, others who watch it there get direct messages, and they still watch it elsewhere.
     *
     * A card that was created here is read until it settles, to keep its confirmation current; any
     * other only while someone watches it.
     *
     * @returns whether they still watch it
     */
    stop(input: CardKey & { userId: string; thread?: Thread | undefined }): Promise<boolean> {
      return transact(async ({ watches }) => {
        const { userId, thread } = input;
        const watched = await watches.get(input);
        const watchers = thread ? await watches.watchersOf(input) : [];
        const isElsewhere = watchers.some(
          (one) => one.userId === userId && !isSameThread(one.thread, thread),
        );
        if (!isElsewhere) await watches.removeWatcher(input, userId);
        if (thread) await watches.leaveThread(input, thread);
        const isNeeded = watched && (await isWatched(watches, watched));
        // If it was changed meanwhile, its next read ends it, unless someone watches it by then.
        if (watched && !isNeeded) await watches.end(watched);
        return isElsewhere;
      });
    },
  };
}

/** Also true for a card that was created here, which has a confirmation. */
export const isWatched = async (watches: Pick<WatchStore, 'watchersOf'>, watched: WatchedCard) =>
  watched.requestId !== undefined || (await watches.watchersOf(watched)).length > 0;

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

/** Updates all messages that show the card, or only this one. */
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

const place = z.object({ channel: z.string(), ts: z.string() });

export const showPayload = z.object({
  cardId: z.string(),
  readAt: z.coerce.date(),
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

export type News = CardChanges | 'gone';

/** The identity has the revision, which is compared and swapped: nobody hears of a change twice. */
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
  readAt: z.coerce.date(),
  /** Whether this is the first change of the card that anyone is told. */
  isFirst: z.boolean().optional(),
});

/** One message for each thread, and one for each person without a thread. */
export function audiencesOf(watchers: readonly CardWatcher[]): Audience[] {
  const groups = Map.groupBy(watchers, ({ userId, thread }) =>
    thread ? `${thread.channel}/${thread.ts}` : userId,
  );
  return [...groups.values()].map((group) => {
    const thread = group[0]?.thread;
    return { userIds: group.map(({ userId }) => userId), ...(thread ? { thread } : {}) };
  });
}
