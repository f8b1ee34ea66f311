import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { createEntries } from '../../src/store/entries.ts';
import { T1 } from '../installations/ids.ts';
import { speedUpMonotonicClock } from '../monotonic-clock.ts';
import { openSqliteStores } from './sqlite-files.ts';
import { at, once } from './stores-under-test.ts';

/** Long enough for operations in progress to be queued, in ms; shorter than any lock timeout. */
const A_MOMENT_MS = 200;
const WRITES = 12;

/** Stores of a file that another process has locked for writing. */
async function lockedStores() {
  const { stores, db, path } = await openSqliteStores();
  const other = new DatabaseSync(path);
  other.exec('BEGIN EXCLUSIVE');
  const write = (user: string) => stores.entries.takeOnce(once(T1, user), at(0));
  return { stores, db, path, write, unlock: () => other.close() };
}

it('no write waits longer because of those before it', async () => {
  const { write, unlock } = await lockedStores();
  speedUpMonotonicClock();
  const writes = Array.from({ length: WRITES }, (_, index) => write(`U${index}`));
  await Promise.race(writes).catch(() => undefined);
  await setTimeout(A_MOMENT_MS);
  unlock();
  const ended = await Promise.allSettled(writes);
  expect(new Set(ended.map(({ status }) => status))).toEqual(new Set(['rejected']));
});

it('writes happen in the order in which they came', async () => {
  const { db, write, unlock } = await lockedStores();
  const writes = ['U1', 'U2', 'U3'].map(write);
  unlock();
  expect(await Promise.all(writes)).toEqual([true, true, true]);
  const rows = await db.selectFrom('entries').select('name').orderBy(sql`rowid`).execute();
  expect(rows.map(({ name }) => name)).toEqual(['U1', 'U2', 'U3']);
});

it('nobody sees what a transaction hasn’t committed, and nobody writes into it', async () => {
  const { stores, db } = await openSqliteStores();
  const order: string[] = [];
  const transaction = db.transaction().execute(async (tx) => {
    await createEntries(tx).takeOnce(once(T1, 'U1'), at(0));
    await setTimeout(A_MOMENT_MS);
    order.push('rolled back');
    throw new Error('rolled back');
  });
  const other = db.transaction().execute(async (tx) => {
    order.push('another');
    await createEntries(tx).takeOnce(once(T1, 'U2'), at(0));
  });
  const read = stores.entries.get(once(T1, 'U1'));
  const written = stores.entries.takeOnce(once(T1, 'U3'), at(0));
  await expect(transaction).rejects.toThrow('rolled back');
  await other;
  expect([await read, await written]).toEqual([undefined, true]);
  expect(order).toEqual(['rolled back', 'another']);
  const rows = await db.selectFrom('entries').select('name').orderBy('name').execute();
  expect(rows).toEqual([{ name: 'U2' }, { name: 'U3' }]);
});

it('a transaction that begins with a read can write in the end, whoever else opens the file', async () => {
  const { db, path } = await openSqliteStores();
  const other = new DatabaseSync(path);
  onTestFinished(() => other.close());
  await db.transaction().execute(async (tx) => {
    await tx.selectFrom('entries').selectAll().execute();
    expect(() => other.exec('BEGIN IMMEDIATE')).toThrow('locked');
    await tx.deleteFrom('entries').execute();
  });
});

it('nobody writes into a transaction that was left open', async () => {
  const { stores, db, openAgain } = await openSqliteStores();
  await sql`begin`.execute(db);
  await stores.entries.takeOnce(once(T1, 'U1'), at(0));
  const others = await openAgain();
  expect(await others.entries.takeOnce(once(T1, 'U1'), at(0))).toBe(false);
});

it('a transaction that SQLite itself rolled back fails with the reason', async () => {
  const { stores, db } = await openSqliteStores();
  await sql`create temp trigger full_disk before insert on entries
    begin select raise(rollback, 'no room'); end`.execute(db);
  const transaction = db
    .transaction()
    .execute((tx) => createEntries(tx).takeOnce(once(T1, 'U1'), at(0)));
  await expect(transaction).rejects.toThrow('no room');
  await sql`drop trigger full_disk`.execute(db);
  expect(await stores.entries.takeOnce(once(T1, 'U1'), at(0))).toBe(true);
});
