import { describe, expect, it } from 'vitest';
import { createStores } from '../src/store/stores.ts';
import { fillLargeDatabase } from './store/plans/large-tables.ts';
import { recordSql } from './store/plans/recorded-sql.ts';
import { badPlansOnSqlite } from './store/plans/sqlite-plans.ts';
import { listJobs, useEveryStore, watchCalls } from './store/plans/use-every-store.ts';
import { temporaryDatabase } from './store/sqlite-files.ts';
import { at, encryptionKey } from './store/stores-under-test.ts';

/** SQLite's plans don't depend on it: the app doesn't let it collect statistics. */
const ROWS = 1_000;

describe('with rows in each growing table', { timeout: 120_000 }, () => {
  it('no statement reads a whole table, or sorts what it reads from one', async () => {
    const { db, path } = await temporaryDatabase();
    await fillLargeDatabase(db, at(0), ROWS);
    const log = recordSql();
    const { stores, uncalled } = watchCalls(createStores(db, [encryptionKey('k1')]));
    await listJobs(db);
    await useEveryStore(db, stores, at(0));
    // The functions not called here have a test on Postgres; a new one must be called there too.
    expect(uncalled()).toEqual(['replicas.renew', 'replicas.leave', 'replicas.deleteExpired']);
    expect(badPlansOnSqlite(path, log.recorded())).toEqual([]);
  });
});
