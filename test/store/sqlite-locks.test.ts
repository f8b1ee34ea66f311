import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createEntries } from '../../src/store/entries.ts';
import { T1 } from '../installations/ids.ts';
import { speedUpMonotonicClock } from '../monotonic-clock.ts';
import { once } from './once.ts';
import { openSqliteStores } from './sqlite-files.ts';
import { at } from './stores-under-test.ts';

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

it('the database can be read while writes wait for a lock', async () => {
  const { stores, write, unlock } = await lockedStores();
  const order: string[] = [];
  const writing = write('U1').then(() => order.push('written'));
  await setTimeout(A_MOMENT_MS);
  expect(await stores.keys.describe(T1)).toBeUndefined();
  order.push('read');
  unlock();
  await writing;
  expect(order).toEqual(['read', 'written']);
});

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

it('events that all met the same lock are not tried one by one', async () => {
  const { stores, unlock } = await lockedStores();
  const add = (id: number) =>
    stores.jobTable.add({ kind: 'k', workspaceId: T1, payload: { id } }, at(0));
  speedUpMonotonicClock();
  const adding = Array.from({ length: WRITES }, (_, index) => add(index));
  await Promise.race(adding).catch(() => undefined);
  await setTimeout(A_MOMENT_MS);
  unlock();
  const ended = await Promise.allSettled(adding);
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
  const { promise: committing, resolve: commit } = Promise.withResolvers<void>();
  const isKnown = async (user: string) =>
    (await db.selectFrom('entries').select('name').where('name', '=', user).execute()).length;
  const transaction = db.transaction().execute(async (tx) => {
    await createEntries(tx).takeOnce(once(T1, 'U1'), at(0));
    await committing;
    throw new Error('rolled back');
  });
  const other = stores.entries.takeOnce(once(T1, 'U2'), at(0));
  await setTimeout(A_MOMENT_MS);
  expect([await isKnown('U1'), await isKnown('U2')]).toEqual([0, 0]);
  commit();
  await expect(transaction).rejects.toThrow('rolled back');
  expect(await other).toBe(true);
  expect([await isKnown('U1'), await isKnown('U2')]).toEqual([0, 1]);
});

it('nobody writes into a transaction that was left open', async () => {
  const { stores, db, openAgain } = await openSqliteStores();
  await sql`begin`.execute(db);
  await stores.entries.takeOnce(once(T1, 'U1'), at(0));
  const others = await openAgain();
  expect(await others.entries.takeOnce(once(T1, 'U1'), at(0))).toBe(false);
});
