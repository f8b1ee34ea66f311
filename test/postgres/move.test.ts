import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { moveToPostgres } from '../../src/commands/move.ts';
import { DEFAULT_SETTINGS } from '../../src/installations/settings.ts';
import { newBudget } from '../../src/service/budget/budget.ts';
import {
  type Database,
  lockDatabase,
  migrateDatabase,
  openDatabase,
} from '../../src/store/database.ts';
import { createStores, type Stores } from '../../src/store/stores.ts';
import { E1, T1, T2 } from '../installations/ids.ts';
import { rotating } from '../store/installation-suite.ts';
import { kindsOf } from '../store/kinds-of.ts';
import { newRequest } from '../store/request-suite.ts';
import { temporaryDatabase } from '../store/sqlite-files.ts';
import { at, claimOne, encryptionKey, once } from '../store/stores-under-test.ts';
import { databaseForTest } from './database-for-test.ts';
import { claimingAndDying, openForTest } from './postgres-stores.ts';

const RING = [encryptionKey('k1')];
const KEY = 'dsk_0123456789abcdef';
const REQUESTS = 3;
/** More than are moved in one statement. */
const MANY = 430;

/** A closed SQLite database with something in every table, and an empty Postgres. */
async function setUp(fill: (stores: Stores, db: Database) => Promise<void> = fillEverything) {
  const { db, path } = await temporaryDatabase();
  await fill(createStores(db, RING), db);
  await db.destroy();
  return { from: { path }, to: { url: await databaseForTest() } };
}

async function fillEverything(stores: Stores, _db: Database, requests = REQUESTS): Promise<void> {
  await stores.keys.save(T1, KEY, 'U1', at(0));
  for (let number = 0; number < requests; number += 1) {
    await stores.requests.add(newRequest(`r${number}`), at(number));
  }
  await stores.requests.changeState(
    newRequest('r0'),
    ['queued'],
    'created',
    { cardId: 'card-1' },
    at(1),
  );
  for (const identity of ['done', 'running', 'ready']) {
    await stores.jobTable.add(
      { kind: 'k', workspaceId: T1, payload: { identity }, identity },
      at(0),
    );
  }
  const done = await claimOne(stores.jobTable, at(0));
  if (done) await stores.jobTable.finish(done, 'done', at(1));
  await claimOne(stores.jobTable, at(0));
  await stores.entries.takeOnce(once(T1, 'U1'), at(0));
  const times = { now: at(0), aheadSeconds: 0 };
  await stores.budgets.replace('f1', undefined, newBudget(), times);
  await stores.installations.save(rotating(T1), at(0));
  await stores.organizations.add(E1, [T2], at(0));
  const card = { workspaceId: T1, cardId: 'c1' };
  const entry = { what: 'key_connected', by: 'U1', changes: [] } as const;
  await stores.auditEntries.add(T1, entry, at(0));
  await kindsOf(stores).settings.save(T1, { ...DEFAULT_SETTINGS, unfurls: 'off' }, at(0));
  await stores.watches.begin(card, { watchId: 'w1' }, at(0));
  await stores.watches.addWatcher(card, { userId: 'U1' }, at(0));
  await stores.watches.addMessage(card, { channel: 'C1', ts: '1.1', shown: {} }, at(0));
}

const storesOn = (url: string) => createStores(openForTest(url), RING);

describe('moving to Postgres', () => {
  it('moves everything, and jobs continue where they were', async () => {
    const { from, to } = await setUp((stores, db) => fillEverything(stores, db, MANY));
    const { rows, keptAs } = await moveToPostgres(from, to, at(100));
    expect(rows).toEqual({
      api_keys: 1,
      requests: MANY,
      jobs: 3,
      watched_cards: 1,
      card_watchers: 1,
      entries: 3,
      audit_entries: 1,
      budgets: 1,
      installations: 1,
      organization_workspaces: 1,
    });
    const stores = storesOn(to.url);
    expect(await stores.keys.open(T1)).toMatchObject({ key: KEY });
    const requests = await stores.requests.listByAuthor(T1, 'U1', MANY);
    expect(requests).toHaveLength(MANY);
    expect(requests.at(-1)).toMatchObject({ id: 'r0', state: 'created', cardId: 'card-1' });
    expect((await kindsOf(stores).settings.get(T1)).unfurls).toBe('off');
    expect(await stores.installations.open(T1)).toMatchObject({ refreshToken: 'xoxe-1-T1' });
    expect(await stores.entries.takeOnce(once(T1, 'U1'), at(60))).toBe(false);
    // Jobs of the stopped app are released, finished ones stay finished, and IDs continue.
    const claim = async () => (await claimOne(claimingAndDying(stores).jobTable, at(0)))?.payload;
    expect([await claim(), await claim(), await claim()]).toEqual([
      { identity: 'running' },
      { identity: 'ready' },
      undefined,
    ]);
    const add = (identity: string) =>
      stores.jobTable.add({ kind: 'k', workspaceId: T1, payload: {}, identity }, at(0));
    expect([await add('done'), await add('new')]).toEqual([false, true]);
    // The file is kept under another name, so no app starts on it by mistake.
    expect([existsSync(from.path), existsSync(keptAs ?? '')]).toEqual([false, true]);
  });

  it('that was interrupted before the file was renamed is finished by running it again, until the app has run on Postgres', async () => {
    const { from, to } = await setUp();
    const undoRenaming = ({ keptAs = '' }: Awaited<ReturnType<typeof moveToPostgres>>) =>
      rename(keptAs, from.path);
    await undoRenaming(await moveToPostgres(from, to, at(0)));
    const again = await moveToPostgres(from, to, at(1));
    expect(again.rows.requests).toBe(REQUESTS);
    expect(existsSync(from.path)).toBe(false);
    const theirs = storesOn(to.url);
    expect(await theirs.requests.listByAuthor(T1, 'U1', 1_000)).toHaveLength(REQUESTS);
    await undoRenaming(again);
    await theirs.requests.changeState(newRequest('r1'), ['queued'], 'discarded', {}, at(5));
    await theirs.entries.takeOnce(once(T1, 'U2'), at(5));
    await expect(moveToPostgres(from, to, at(1))).rejects.toThrow("isn't empty");
    expect(await theirs.requests.get(T1, 'r1')).toMatchObject({ state: 'discarded' });
  });

  it.each<[string, { there?: string; here?: string }, RegExp]>([
    [
      'there is something else in the other database',
      {
        there: "insert into api_keys (workspace_id, state, changed_at) values ('T9', 'active', 1)",
      },
      /^The database 127\.0\.0\.1:\d+\/test_\w+ isn't empty\. Nothing was moved/,
    ],
    [
      // A row that comes late.
      'it fails midway',
      { there: "alter table watched_cards add constraint late check (card_id = 'another')" },
      /late/,
    ],
    [
      'rows are missing from the copy',
      { there: 'create rule lose as on insert to entries do instead nothing' },
      /^The copy of the table entries is incomplete\. Nothing was moved\.$/,
    ],
    [
      'a newer version has used the file, some of which could be left behind',
      { here: "insert into kysely_migration values ('9999-from-the-future', '')" },
      /test\.db is from a newer version of the app: it has 9999-from-the-future\./,
    ],
  ])('changes nothing if %s', async (_what, { there, here }, message) => {
    const { from, to } = await setUp(async (stores, db) => {
      await fillEverything(stores, db);
      if (here) await sql.raw(here).execute(db);
    });
    await migrateDatabase(to);
    if (there) await sql.raw(there).execute(openForTest(to.url));
    await expect(moveToPostgres(from, to, at(0))).rejects.toThrow(message);
    const theirs = storesOn(to.url);
    expect(await theirs.requests.listByAuthor(T1, 'U1', 10)).toEqual([]);
    expect(await theirs.keys.describe(T1)).toBeUndefined();
    expect(existsSync(from.path)).toBe(true);
  });

  it('says if there is no such file', async () => {
    const to = { url: await databaseForTest() };
    await expect(moveToPostgres({ path: '/nowhere/app.db' }, to, at(0))).rejects.toThrow(
      'There is no database at /nowhere/app.db.',
    );
  });

  it('waits until the app using the file stops', async () => {
    const { from, to } = await setUp();
    const lock = await lockDatabase(from);
    let isMoved = false;
    const moving = moveToPostgres(from, to, at(0)).then(() => {
      isMoved = true;
    });
    const app = openDatabase(from);
    await createStores(app, RING).entries.takeOnce(once(T1, 'U2'), at(0));
    await app.destroy();
    expect(isMoved).toBe(false);
    lock[Symbol.dispose]();
    await moving;
    expect(await storesOn(to.url).entries.takeOnce(once(T1, 'U2'), at(1))).toBe(false);
  });
});
