import { expressionBuilder, sql } from 'kysely';
import type { WorkspaceId } from '../installations/workspace-id.ts';
import { ROWS_AT_A_TIME } from './batches.ts';
import type { Database } from './database.ts';
import { createEntries, type EntryKind, entryKind } from './entries.ts';
import { anyObject, createRowReader } from './rows.ts';
import type { Row, Schema } from './tables.ts';

export type CardKey = { workspaceId: WorkspaceId; cardId: string };

/** A message, and the thread below it. */
export type Thread = { channel: string; ts: string };

export const isSameThread = (one: Thread | undefined, other: Thread | undefined): boolean =>
  one?.channel === other?.channel && one?.ts === other?.ts;

/** A card that is read from time to time, and whose watchers hear about changes. */
export type WatchedCard = Omit<Row<'watched_cards'>, 'told'> & {
  /** For `src/watching/snapshot.ts`: what watchers know. Undefined if not read yet, or damaged. */
  told?: object | undefined;
};

/** Who hears about a card's changes: in a thread, otherwise in a direct message. */
export type CardWatcher = { userId: string; thread?: Thread | undefined };

/** A message that shows the card; only `src/slack` reads `shown`. */
export type ShownMessage = Thread & { shown: object };

/** How a message shows a watched card; deleted with the watch. */
const CARD_MESSAGE: EntryKind<object> = entryKind('card_message', anyObject);

type NewWatch = Pick<WatchedCard, 'watchId'> & Partial<Pick<WatchedCard, 'requestId' | 'told'>>;

type WatchRevision = Pick<WatchedCard, 'workspaceId' | 'cardId' | 'watchId' | 'revision'>;

type WatchChange = Partial<
  Pick<WatchedCard, 'told' | 'changedAt' | 'toldAt'> & { unreadableSince: Date | null }
>;

const watch = expressionBuilder<Schema, 'watched_cards'>();
const watcher = expressionBuilder<Schema, 'card_watchers'>();
/** As it was read: nobody has changed it since. */
const exactly = ({ workspaceId, cardId, watchId, revision }: WatchRevision) =>
  ({ workspaceId, cardId, watchId, revision }) as const;

export type WatchStore = ReturnType<typeof createWatchStore>;

export function createWatchStore(
  db: Database,
  { read = createRowReader(), entries = createEntries(db, read) } = {},
) {
  const beginningOf = ({ cardId }: CardKey) => `${encodeURIComponent(cardId)}/`;
  const messagesAbout = ({ workspaceId }: CardKey) => ({ kind: CARD_MESSAGE, owner: workspaceId });
  const messageKey = (card: CardKey, { channel, ts }: Thread) => ({
    ...messagesAbout(card),
    name: `${beginningOf(card)}${channel}/${ts}`,
  });

  const toWatched = ({ told, ...row }: Row<'watched_cards'>): WatchedCard => {
    const about = { table: 'watched_cards', id: row.cardId, workspace: row.workspaceId } as const;
    return { ...row, told: read(about, anyObject, told) };
  };

  /** Ends a watch and deletes everything about it. @returns false if it was changed meanwhile */
  async function end(card: WatchRevision): Promise<boolean> {
    const ended = await db
      .deleteFrom('watched_cards')
      .where(watch.and(exactly(card)))
      .executeTakeFirst();
    if (ended.numDeletedRows === 0n) return false;
    const { workspaceId, cardId } = card;
    await db.deleteFrom('card_watchers').where(watcher.and({ workspaceId, cardId })).execute();
    await entries.remove({ ...messagesAbout(card), beginning: beginningOf(card) });
    return true;
  }

  return {
    /**
     * A watch that exists goes on as if it had just begun, with this request if it had none; ending
     * its previous revision then changes nothing. @returns it; its `watchId` is this one if it is new
     */
    async begin({ workspaceId, cardId }: CardKey, begun: NewWatch, now: Date) {
      const { watchId, requestId, told } = begun;
      const row = { watchId, requestId, told: told && JSON.stringify(told), changedAt: now };
      const added = await db
        .insertInto('watched_cards')
        .values({ workspaceId, cardId, ...row, revision: 0 })
        .onConflict((conflict) =>
          conflict.columns(['workspaceId', 'cardId']).doUpdateSet({
            revision: sql`watched_cards.revision + 1`,
            changedAt: now,
            requestId: sql`coalesce(watched_cards.request_id, excluded.request_id)`,
          }),
        )
        .returningAll()
        .executeTakeFirstOrThrow();
      return toWatched(added);
    },

    async get({ workspaceId, cardId }: CardKey) {
      const row = await db
        .selectFrom('watched_cards')
        .selectAll()
        .where(watch.and({ workspaceId, cardId }))
        .executeTakeFirst();
      return row && toWatched(row);
    },

    /** @returns the new revision, or undefined if it was changed or ended meanwhile */
    async change(watched: WatchRevision, { told, ...change }: WatchChange) {
      const row = await db
        .updateTable('watched_cards')
        .set({ ...change, told: told && JSON.stringify(told), revision: sql`revision + 1` })
        .where(watch.and(exactly(watched)))
        .returning('revision')
        .executeTakeFirst();
      return row?.revision;
    },

    end,

    /** @returns false if the person watches the card already; nothing is changed then */
    async addWatcher({ workspaceId, cardId }: CardKey, { userId, thread }: CardWatcher, now: Date) {
      const { channel, ts } = thread ?? {};
      const added = await db
        .insertInto('card_watchers')
        .values({ workspaceId, cardId, userId, channel, ts, watchingSince: now })
        .onConflict((conflict) => conflict.doNothing())
        .returning('userId')
        .execute();
      return added.length > 0;
    },

    async removeWatcher({ workspaceId, cardId }: CardKey, userId: string) {
      await db
        .deleteFrom('card_watchers')
        .where(watcher.and({ workspaceId, cardId, userId }))
        .execute();
    },

    async moveWatcher({ workspaceId, cardId }: CardKey, userId: string, { channel, ts }: Thread) {
      await db
        .updateTable('card_watchers')
        .set({ channel, ts })
        .where(watcher.and({ workspaceId, cardId, userId }))
        .execute();
    },

    /** Its watchers get direct messages from now on. */
    async leaveThread({ workspaceId, cardId }: CardKey, { channel, ts }: Thread) {
      await db
        .updateTable('card_watchers')
        .set({ channel: null, ts: null })
        .where(watcher.and({ workspaceId, cardId, channel, ts }))
        .execute();
    },

    async watchersOf({ workspaceId, cardId }: CardKey): Promise<CardWatcher[]> {
      const rows = await db
        .selectFrom('card_watchers')
        .select(['userId', 'channel', 'ts'])
        .where(watcher.and({ workspaceId, cardId }))
        .execute();
      return rows.map(({ userId, channel, ts }) =>
        channel && ts ? { userId, thread: { channel, ts } } : { userId },
      );
    },

    async watchedBy(workspaceId: WorkspaceId, userId: string, cardIds: readonly string[]) {
      if (cardIds.length === 0) return new Set<string>();
      const rows = await db
        .selectFrom('card_watchers')
        .select('cardId')
        .where(watcher.and({ workspaceId, userId }))
        .where('cardId', 'in', cardIds)
        .execute();
      return new Set(rows.map(({ cardId }) => cardId));
    },

    /** The newest watch first. */
    async cardsWatchedBy(workspaceId: WorkspaceId, userId: string, limit: number) {
      const rows = await db
        .selectFrom('card_watchers')
        .select('cardId')
        .where(watcher.and({ workspaceId, userId }))
        .orderBy('watchingSince', 'desc')
        .limit(limit)
        .execute();
      return rows.map(({ cardId }) => cardId);
    },

    /** Remembers a message that shows a watched card, or how it shows it now. */
    addMessage: (card: CardKey, message: ShownMessage, now: Date) =>
      entries.put(messageKey(card, message), message.shown, now),

    /** Makes a message one of the newest, and remembers it if it is new. @returns whether it is new */
    async touchMessage(card: CardKey, message: ShownMessage, now: Date) {
      const known = await entries.get(messageKey(card, message));
      // What was recorded when the message was posted says more about how it shows the card.
      await entries.put(messageKey(card, message), known?.value ?? message.shown, now);
      return known === undefined;
    },

    removeMessage: (card: CardKey, message: Thread) => entries.remove(messageKey(card, message)),

    /** The newest ones first. */
    async messagesOf(card: CardKey, limit: number): Promise<ShownMessage[]> {
      const beginning = beginningOf(card);
      const found = await entries.list(messagesAbout(card), [beginning]);
      return found.slice(0, limit).map(({ name, value: shown }) => {
        const [channel = '', ts = ''] = name.slice(beginning.length).split('/');
        return { channel, ts, shown };
      });
    },

    async prune(changedBefore: Date) {
      for (let pruned = 0; ; ) {
        const old = await db
          .selectFrom('watched_cards')
          .selectAll()
          .where('changedAt', '<', changedBefore)
          .orderBy('changedAt')
          .limit(ROWS_AT_A_TIME)
          .execute();
        if (old.length === 0) return pruned;
        for (const row of old) await end(toWatched(row));
        pruned += old.length;
      }
    },
  };
}
