import { type Insertable, type RawBuilder, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import type { OwnerId } from '../installations/workspace-id.ts';
import { commitTogether } from './commit-together.ts';
import type { Database } from './database.ts';
import { createRowReader, engineOf, inLockOrder } from './rows.ts';
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
const begins = (text: string) => sql<SqlBool>`name between ${text} and ${text + LAST}`;

type Upsert = {
  rows: readonly Insertable<Schema['entries']>[];
  /** Which entries of the same name are replaced; by default all. */
  replaced?: RawBuilder<SqlBool>;
};

/** Serialized before they join a batch, so that an error affects no others. */
function rowsOf(
  { kind: { kind, keepMs }, owner }: KindOfOwner<unknown>,
  entries: readonly { name: string; value: unknown }[],
  now: Date,
) {
  return inLockOrder(entries, 'name').map(({ name, value }) => ({
    workspaceId: owner,
    kind,
    name,
    changedAt: now,
    expiresAt: keepMs === undefined ? null : new Date(now.getTime() + keepMs),
    value: JSON.stringify(value),
  }));
}

/** @returns the names that were written */
async function upsert(
  db: Database,
  { rows, replaced = sql<SqlBool>`true` }: Upsert,
): Promise<string[]> {
  const written = await db
    .insertInto('entries')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['workspaceId', 'kind', 'name'])
        .doUpdateSet({
          value: sql`excluded.value`,
          changedAt: sql`excluded.changed_at`,
          expiresAt: sql`excluded.expires_at`,
        })
        .where(replaced),
    )
    .returning('name')
    .execute();
  return written.map(({ name }) => name);
}

/** Small values by owner, kind, and name. */
export function createEntries(db: Database, read = createRowReader()) {
  // Not on Postgres, where two replicas could each wait for an entry that the other has locked.
  const write =
    db.isTransaction || engineOf(db) === 'postgres'
      ? (one: Upsert) => upsert(db, one)
      : commitTogether((all: readonly Upsert[]) =>
          db.transaction().execute(async (tx) => {
            const written: string[][] = [];
            for (const one of all) written.push(await upsert(tx, one));
            return written;
          }),
        );

  /** Leaves out rows that can't be read. */
  async function find<Value>(
    { kind: { kind, value: type }, owner }: KindOfOwner<Value>,
    condition: RawBuilder<SqlBool>,
  ): Promise<Entry<Value>[]> {
    const rows = await db
      .selectFrom('entries')
      .select(['name', 'value', 'changedAt'])
      .where('workspaceId', '=', owner)
      .where('kind', '=', kind)
      .where(condition)
      // Written into the statement, for the reason that `claim` in jobs.ts gives.
      .limit(sql.lit(MAX_LISTED))
      .execute();
    const found: Entry<Value>[] = [];
    for (const { name, value: json, changedAt } of rows) {
      const row = { table: 'entries', id: `${kind}/${name}`, workspace: owner } as const;
      const value = read(row, type, json);
      if (value !== undefined) found.push({ name, value, changedAt });
    }
    return found;
  }

  return {
    /** No name may occur twice. */
    async putAll<Value>(
      of: KindOfOwner<Value>,
      entries: readonly { name: string; value: Value }[],
      now: Date,
    ) {
      await write({ rows: rowsOf(of, entries, now) });
    },

    async put<Value>({ name, ...of }: EntryKey<Value>, value: Value, now: Date) {
      await write({ rows: rowsOf(of, [{ name, value }], now) });
    },

    /** @returns true for the first call only until the entry expires, across all processes */
    async takeOnce({ name, ...of }: EntryKey<true>, now: Date): Promise<boolean> {
      const replaced = sql<SqlBool>`entries.expires_at <= ${now}`;
      const taken = await write({ rows: rowsOf(of, [{ name, value: true }], now), replaced });
      return taken.length > 0;
    },

    async get<Value>(key: EntryKey<Value>): Promise<Entry<Value> | undefined> {
      const [found] = await find(key, sql`name = ${key.name}`);
      return found;
    },

    /** Entries whose names begin with one of these, of which there is at least one; the newest first. */
    async list<Value>(of: KindOfOwner<Value>, beginnings: readonly string[]) {
      const found = await find(of, sql`(${sql.join(beginnings.map(begins), sql` or `)})`);
      return found.toSorted((one, other) => other.changedAt.getTime() - one.changedAt.getTime());
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
        .where(name === undefined ? begins(beginning) : sql<SqlBool>`name = ${name}`)
        .execute();
    },
  };
}
