import { type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import type { OwnerId } from '../installations/workspace-id.ts';
import type { Database } from './database.ts';
import { createRowReader, inLockOrder } from './rows.ts';
import type { Schema } from './tables.ts';

export type EntryKind<Value> = ReturnType<typeof entryKind<Value>>;

type KindOfOwner<Value> = { kind: EntryKind<Value>; owner: OwnerId };
export type EntryKey<Value> = KindOfOwner<Value> & { name: string };

type Entry<Value> = { name: string; value: Value; changedAt: Date };

export type Entries = ReturnType<typeof createEntries>;

/** The owner of what belongs to the whole app. It sorts before every other. */
export const APP = '' as OwnerId;

/** @param kind as in docs/privacy.md, which has to list it @param keepMs forever if undefined */
export const entryKind = <Value>(kind: string, value: z.ZodType<Value>, keepMs?: number) => ({
  kind,
  value,
  keepMs,
});

/** Says only that something has happened. */
export const onceKind = (kind: string, keepMs?: number): EntryKind<true> =>
  entryKind(kind, z.literal(true), keepMs);

/** Only a card that is shown in very many messages has more entries whose names begin alike. */
const MAX_LISTED = 1_000;
/** The last character: in both databases, names are compared by their bytes. */
const LAST = '\u{10ffff}';
const begins = (eb: ExpressionBuilder<Schema, 'entries'>, text: string) =>
  eb.between('name', text, `${text}${LAST}`);

/** Small values by owner, kind, and name. */
export function createEntries(db: Database, read = createRowReader()) {
  const upsert = <Value>(
    { kind: { kind, keepMs }, owner }: KindOfOwner<Value>,
    entries: readonly { name: string; value: Value }[],
    now: Date,
    replaced = sql<SqlBool>`true`,
  ) => {
    const rows = inLockOrder(entries, ({ name }) => name).map(({ name, value }) => ({
      workspaceId: owner,
      kind,
      name,
      changedAt: now,
      expiresAt: keepMs === undefined ? null : new Date(now.getTime() + keepMs),
      value: JSON.stringify(value),
    }));
    return db
      .insertInto('entries')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(['workspaceId', 'kind', 'name'])
          .doUpdateSet((eb) => ({
            value: eb.ref('excluded.value'),
            changedAt: eb.ref('excluded.changedAt'),
            expiresAt: eb.ref('excluded.expiresAt'),
          }))
          .where(replaced),
      )
      .returning('name')
      .execute();
  };

  const select = ({ kind: { kind }, owner }: KindOfOwner<unknown>) =>
    db
      .selectFrom('entries')
      .select(['name', 'value', 'changedAt'])
      .where('workspaceId', '=', owner)
      .where('kind', '=', kind);

  /** Leaves out rows that can't be read. */
  const readable = <Value>(
    { kind: { kind, value }, owner }: KindOfOwner<Value>,
    rows: readonly { name: string; value: string; changedAt: Date }[],
  ): Entry<Value>[] =>
    rows.flatMap(({ name, value: json, changedAt }) => {
      const row = { table: 'entries', id: `${kind}/${name}`, workspace: owner } as const;
      const found = read(row, () => ({ value: value.parse(JSON.parse(json)) }));
      return found ? [{ name, ...found, changedAt }] : [];
    });

  return {
    /** No name may occur twice. */
    async putAll<Value>(...several: Parameters<typeof upsert<Value>>) {
      await upsert(...several);
    },

    async put<Value>({ name, ...of }: EntryKey<Value>, value: Value, now: Date) {
      await upsert(of, [{ name, value }], now);
    },

    /** @returns true for the first call only until the entry expires, across all processes */
    async takeOnce(key: EntryKey<true>, now: Date): Promise<boolean> {
      const hasExpired = sql<SqlBool>`entries.expires_at <= ${now}`;
      const taken = await upsert(key, [{ name: key.name, value: true }], now, hasExpired);
      return taken.length > 0;
    },

    async get<Value>(key: EntryKey<Value>): Promise<Entry<Value> | undefined> {
      const rows = await select(key).where('name', '=', key.name).execute();
      return readable(key, rows)[0];
    },

    /** Entries whose names begin with one of these, the newest first. */
    async list<Value>(of: KindOfOwner<Value>, beginnings: readonly string[]) {
      const rows = await select(of)
        .where((eb) => eb.or(beginnings.map((text) => begins(eb, text))))
        .limit(MAX_LISTED)
        .execute();
      return readable(of, rows).toSorted(
        (one, other) => other.changedAt.getTime() - one.changedAt.getTime(),
      );
    },

    /** Without a name, removes all entries of the kind whose names begin with `beginning`. */
    async remove({
      kind: { kind },
      owner,
      name,
      beginning = '',
    }: KindOfOwner<unknown> & { name?: string; beginning?: string }) {
      await db
        .deleteFrom('entries')
        .where('workspaceId', '=', owner)
        .where('kind', '=', kind)
        .where((eb) => (name === undefined ? begins(eb, beginning) : eb('name', '=', name)))
        .execute();
    },
  };
}
