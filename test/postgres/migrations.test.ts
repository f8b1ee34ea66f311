import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { EncryptionKey } from '../../src/config/keyring.ts';
import { migrate, migrateDatabase, openDatabase } from '../../src/store/database.ts';
import { describeEveryStore } from '../store/every-store-suite.ts';
import { databaseForTest } from './database-for-test.ts';
import { freshDatabase } from './fresh-database.ts';
import { openClaimingStores, openForTest } from './postgres-stores.ts';

describe('replicas that start at the same time', () => {
  it('migrate an empty database once between them', async () => {
    const url = await databaseForTest();
    const ran = await Promise.all(Array.from({ length: 6 }, () => migrateDatabase({ url })));
    expect(ran.filter((names) => names.length > 0)).toHaveLength(1);
    expect(ran.flat()).toContain('0001-baseline');
    const { rows } = await sql<{ names: number }>`
      select count(*) as names from kysely_migration`.execute(openForTest(url));
    expect(rows).toEqual([{ names: ran.flat().length }]);
  });

  it('each report a failing migration, and leave nothing half done', async () => {
    const url = await databaseForTest();
    // Conflicts with a table that the first migration creates late.
    await sql`create table audit_entries (something text)`.execute(openForTest(url));
    const failures = await Promise.allSettled([1, 2].map(() => migrateDatabase({ url })));
    for (const failure of failures) {
      expect(failure).toMatchObject({
        status: 'rejected',
        reason: {
          message: expect.stringContaining('0001-baseline failed: relation "audit_entries"'),
        },
      });
    }
    await sql`drop table audit_entries`.execute(openForTest(url));
    expect(await migrateDatabase({ url })).toContain('0001-baseline');
  });
});

/** What the next version may do to the tables while this one still runs: add, and nothing else. */
async function addLater(url: string): Promise<void> {
  const db = openDatabase({ url });
  const tables = await db.introspection.getTables();
  for (const { name } of tables) {
    const table = sql.table(name);
    await sql`alter table ${table} add column later text`.execute(db);
    await sql`alter table ${table} add column later_with_default bigint not null default 7`.execute(
      db,
    );
  }
  await sql`create table of_a_later_version (id text primary key)`.execute(db);
  await sql`insert into kysely_migration (name, timestamp)
    values ('9999-of-a-later-version', '2999-01-01T00:00:00Z')`.execute(db);
  await db.destroy();
}

describe('this version, on a database migrated by a newer one,', () => {
  let later: Awaited<ReturnType<typeof freshDatabase>>;
  beforeAll(async () => {
    later = await freshDatabase(inject('postgresServer') ?? '', inject('migratedDatabase'));
    await addLater(later.url);
  });
  afterAll(() => later.drop());
  const openLaterStores = (keyring?: readonly EncryptionKey[]) =>
    openClaimingStores(keyring, later.name);

  it('starts', async () => {
    const { db, url } = await openLaterStores();
    expect(await migrate(db)).toEqual([]);
    expect(await migrateDatabase({ url })).toEqual([]);
  });

  // So it works on its own tables, too.
  describe('works:', () => describeEveryStore(openLaterStores));
});
