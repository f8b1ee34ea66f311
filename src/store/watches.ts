import type { WorkspaceId } from '../installations/workspace-id.ts';
import { ROWS_AT_A_TIME } from './batches.ts';
import type { Database } from './database.ts';
import { createEntries, type EntryKind, entryKind } from './entries.ts';
import { anyObject, createRowReader } from './rows.ts';
import type { Row } from './tables.ts';

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

export type WatchStore = ReturnType<typeof createWatchStore>;

export function createWatchStore(
  db: Database,
  { read = createRowReader(), entries = createEntries(db, read) } = {},
) {
  const keyOf = ({ workspaceId, cardId }: CardKey) => ({ workspaceId, cardId }) as const;
  const asRead = ({ watchId, revision, ...card }: WatchRevision) =>
    ({ ...keyOf(card), watchId, revision }) as const;
  const watcherOf = (card: CardKey, userId: string) => ({ ...keyOf(card), userId }) as const;
  const beginningOf = ({ cardId }: CardKey) => `${encodeURIComponent(cardId)}/`;
  const messagesAbout = ({ workspaceId }: CardKey) => ({ kind: CARD_MESSAGE, owner: workspaceId });
  const messageKey = (card: CardKey, { channel, ts }: Thread) => ({
    ...messagesAbout(card),
    name: `${beginningOf(card)}${channel}/${ts}`,
  });

  const toWatched = ({ told, ...row }: Row<'watched_cards'>): WatchedCard => {
    const about = { table: 'watched_cards', id: row.cardId, workspace: row.workspaceId } as const;
    const readTold = (json: string): object => anyObject.parse(JSON.parse(json));
    return { ...row, told: told === undefined ? undefined : read(about, () => readTold(told)) };
  };

  /** Ends a watch and deletes everything about it. @returns false if it was changed meanwhile */
  async function end(card: WatchRevision): Promise<boolean> {
    const ended = await db
      .deleteFrom('watched_cards')
      .where((eb) => eb.and(asRead(card)))
      .executeTakeFirst();
    if (ended.numDeletedRows === 0n) return false;
    await db
      .deleteFrom('card_watchers')
      .where((eb) => eb.and(keyOf(card)))
      .execute();
    await entries.remove({ ...messagesAbout(card), beginning: beginningOf(card) });
    return true;
  }

  return {
    /**
     * A watch that exists goes on as if it had just begun, with this request if it had none; ending
     * its previous revision then changes nothing. @returns it; its `watchId` is this one if it is new
     */
    async begin(card: CardKey, { watchId, requestId, told }: NewWatch, now: Date) {
      const row = { watchId, requestId, told: told && JSON.stringify(told), changedAt: now };
      const added = await db
        .insertInto('watched_cards')
        .values({ ...keyOf(card), ...row, revision: 0 })
        .onConflict((conflict) =>
          conflict.columns(['workspaceId', 'cardId']).doUpdateSet((eb) => ({
            revision: eb('watched_cards.revision', '+', 1),
            changedAt: now,
            requestId: eb.fn.coalesce('watched_cards.requestId', eb.val(requestId ?? null)),
          })),
        )
        .returningAll()
        .executeTakeFirstOrThrow();
      return toWatched(added);
    },

    async get(card: CardKey) {
      const row = await db
        .selectFrom('watched_cards')
        .selectAll()
        .where((eb) => eb.and(keyOf(card)))
        .executeTakeFirst();
      return row && toWatched(row);
    },

    /** @returns the new revision, or undefined if it was changed or ended meanwhile */
    async change(watched: WatchRevision, { told, ...change }: WatchChange) {
      const row = await db
        .updateTable('watched_cards')
        .set({ ...change, told: told && JSON.stringify(told) })
        .set((eb) => ({ revision: eb('revision', '+', 1) }))
        .where((eb) => eb.and(asRead(watched)))
        .returning('revision')
        .executeTakeFirst();
      return row?.revision;
    },

    end,

    /** @returns false if the person watches the card already; nothing is changed then */
    async addWatcher(card: CardKey, { userId, thread }: CardWatcher, now: Date) {
      const added = await db
        .insertInto('card_watchers')
        .values({
          ...watcherOf(card, userId),
          channel: thread?.channel,
          ts: thread?.ts,
          watchingSince: now,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning('userId')
        .execute();
      return added.length > 0;
    },

    async removeWatcher(card: CardKey, userId: string) {
      await db
        .deleteFrom('card_watchers')
        .where((eb) => eb.and(watcherOf(card, userId)))
        .execute();
    },

    async moveWatcher(card: CardKey, userId: string, { channel, ts }: Thread) {
      await db
        .updateTable('card_watchers')
        .set({ channel, ts })
        .where((eb) => eb.and(watcherOf(card, userId)))
        .execute();
    },

    /** Its watchers get direct messages from now on. */
    async leaveThread(card: CardKey, thread: Thread) {
      await db
        .updateTable('card_watchers')
        .set({ channel: null, ts: null })
        .where((eb) => eb.and({ ...keyOf(card), channel: thread.channel, ts: thread.ts }))
        .execute();
    },

    async watchersOf(card: CardKey): Promise<CardWatcher[]> {
      const rows = await db
        .selectFrom('card_watchers')
        .select(['userId', 'channel', 'ts'])
        .where((eb) => eb.and(keyOf(card)))
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
        .where((eb) => eb.and({ workspaceId, userId }))
        .where('cardId', 'in', cardIds)
        .execute();
      return new Set(rows.map(({ cardId }) => cardId));
    },

    /** The newest watch first. */
    async cardsWatchedBy(workspaceId: WorkspaceId, userId: string, limit: number) {
      const rows = await db
        .selectFrom('card_watchers')
        .select('cardId')
        .where((eb) => eb.and({ workspaceId, userId }))
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
