import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { createStores } from '../../src/store/stores.ts';
import { fillLargeDatabase } from '../store/plans/large-tables.ts';
import { badPlansOnPostgres } from '../store/plans/postgres-plans.ts';
import { recordSql } from '../store/plans/recorded-sql.ts';
import {
  listJobs,
  useEveryStore,
  useReplicas,
  watchCalls,
} from '../store/plans/use-every-store.ts';
import { at, encryptionKey } from '../store/stores-under-test.ts';
import { openPostgresStores } from './postgres-stores.ts';

const ROWS = 50_000;
/** Deleting the rows of a workspace, or all that have expired, takes minutes with many. */
const ROWS_TO_USE = 1_000;

/** Some statements delete many rows. If Postgres notices that before the others are explained, it reads whole tables. */
async function keepStatistics(db: Database): Promise<void> {
  for (const { name } of await db.introspection.getTables()) {
    await sql`alter table ${sql.table(name)} set (autovacuum_enabled = off)`.execute(db);
  }
}

describe('with 50,000 rows in each growing table', { timeout: 600_000 }, () => {
  it('no statement reads a whole table, or many more rows than it needs', async () => {
    const { db } = await openPostgresStores();
    await fillLargeDatabase(db, at(0), ROWS_TO_USE);
    const log = recordSql();
    const { stores, uncalled } = watchCalls(createStores(db, [encryptionKey('k1')]));
    await listJobs(db);
    await useReplicas(stores);
    await useEveryStore(db, stores, at(0));
    expect(uncalled()).toEqual([]);
    const statements = log.recorded();

    const { url } = await openPostgresStores();
    const large = openDatabase({ url }, { patient: true });
    onTestFinished(() => large.destroy());
    await keepStatistics(large);
    await fillLargeDatabase(large, at(0), ROWS);
    await sql`analyze`.execute(large);
    expect(await badPlansOnPostgres(large, statements)).toEqual([]);
  });
});
