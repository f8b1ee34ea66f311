import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { T1 } from '../installations/ids.ts';
import { speedUpMonotonicClock } from '../monotonic-clock.ts';
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
  const write = (user: string) => stores.hints.recordFirst(T1, user, 'connect', at(0));
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
  const rows = await db.selectFrom('hints').select('user_id').orderBy(sql`rowid`).execute();
  expect(rows.map(({ user_id }) => user_id)).toEqual(['U1', 'U2', 'U3']);
});

it('nobody sees what a transaction hasn’t committed, and nobody writes into it', async () => {
  const { stores, db } = await openSqliteStores();
  const { promise: committing, resolve: commit } = Promise.withResolvers<void>();
  const isKnown = async (user: string) =>
    (await db.selectFrom('hints').select('user_id').where('user_id', '=', user).execute()).length;
  const transaction = db.transaction().execute(async (tx) => {
    const hint = { workspace_id: T1, user_id: 'U1', hint: 'connect', given_at: 0 };
    await tx.insertInto('hints').values(hint).execute();
    await committing;
    throw new Error('rolled back');
  });
  const other = stores.hints.recordFirst(T1, 'U2', 'connect', at(0));
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
  await stores.hints.recordFirst(T1, 'U1', 'connect', at(0));
  const others = await openAgain();
  expect(await others.hints.recordFirst(T1, 'U1', 'connect', at(0))).toBe(false);
});
