import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createLog } from '../../src/ops/logging.ts';
import type { RequestState } from '../../src/requests/request.ts';
import { newBudget } from '../../src/service/budget/budget.ts';
import { interactionNamed } from '../../src/slack/interaction/interactions.ts';
import { keepPruned, prune } from '../../src/store/prune.ts';
import { createStores } from '../../src/store/stores.ts';
import { T1 } from '../installations/ids.ts';
import { kindsOf } from './kinds-of.ts';
import { newRequest } from './request-suite.ts';
import { temporaryDatabase } from './sqlite-files.ts';
import { claimOne } from './stores-under-test.ts';

const start = new Date('2026-05-01T10:00:00Z');
const later = (hours: number) => new Date(start.getTime() + hours * 3_600_000);
const MINUTE = 1 / 60;

it('each kind of row is deleted after its period, and nothing that waits', async () => {
  const { db } = await temporaryDatabase();
  const stores = createStores(db, [{ id: 'k1', key: new Uint8Array(32) }]);
  const { jobTable, requests, budgets, entries } = stores;
  await budgets.replace('f1', undefined, newBudget(), { now: start, aheadSeconds: 0 });
  const job = { kind: 'k', workspaceId: T1, payload: {} };
  await jobTable.add({ ...job, identity: 'event/1' }, start);
  const claimed = await claimOne(jobTable, start);
  if (claimed) await jobTable.finish(claimed, 'done', start);
  await jobTable.add({ ...job, identity: 'event/2' }, start);

  const states: RequestState[] = ['created', 'rejected', 'discarded', 'queued', 'in_doubt'];
  for (const state of states) {
    await requests.add(newRequest(state), start);
    await requests.changeState(newRequest(state), ['queued'], state, {}, start);
  }

  const watched = { workspaceId: T1, cardId: 'card-1' };
  await stores.watches.begin(watched, { watchId: 'w1', requestId: 'created' }, start);
  await stores.watches.addWatcher(watched, { userId: 'U1' }, start);
  const press = interactionNamed(T1, 'block_actions/1');
  await entries.takeOnce(press, start);

  const { formDefaults } = kindsOf(stores);
  const choices = { brief: 'Who will see it?' };
  await formDefaults.learn(T1, [{ owner: 'C1', scope: 'latest', choices: {} }], start);
  await formDefaults.savePreset(T1, 'C1', choices, start);
  await stores.auditEntries.add(T1, { what: 'key_connected', by: 'U1', changes: [] }, start);

  const none = {
    jobs: 0,
    requests: 0,
    budgets: 0,
    entries: 0,
    watched_cards: 0,
    audit_entries: 0,
  };
  expect(await prune(db, later(10 * MINUTE))).toEqual(none);
  expect(await entries.takeOnce(press, later(10 * MINUTE))).toBe(false);
  expect(await prune(db, later(12 * MINUTE))).toEqual({ ...none, entries: 1 });
  expect(await entries.takeOnce(press, start)).toBe(true);
  expect(await prune(db, later(24))).toEqual({ ...none, entries: 1 });
  expect(await jobTable.add({ ...job, identity: 'event/1' }, later(24))).toBe(false);
  expect(await prune(db, later(26))).toEqual({ ...none, jobs: 1, budgets: 1 });
  expect(await jobTable.add({ ...job, identity: 'event/1', runAt: later(9_999) }, start)).toBe(
    true,
  );
  expect(await prune(db, later(24 * 31))).toEqual({ ...none, requests: 2 });
  expect(await requests.get(T1, 'created')).toBeDefined();
  expect(await prune(db, later(24 * 46))).toEqual({ ...none, watched_cards: 1 });
  expect(await stores.watches.watchersOf(watched)).toEqual([]);
  expect(await prune(db, later(24 * 46))).toEqual({ ...none, requests: 1 });
  expect(await prune(db, later(24 * 179))).toEqual(none);
  expect(await prune(db, later(24 * 180))).toEqual({ ...none, entries: 1 });
  expect((await prune(db, later(24 * 365))).audit_entries).toBe(0);
  expect((await prune(db, later(24 * 366))).audit_entries).toBe(1);
  expect(await formDefaults.of(T1, ['C1'])).toEqual([{ owner: 'C1', scope: 'preset', choices }]);
  const left = await requests.listByAuthor(T1, 'U1', 10);
  expect(left.map(({ state }) => state).sort()).toEqual(['in_doubt', 'queued']);
  expect((await claimOne(jobTable, later(24 * 31)))?.kind).toBe('k');
});

it.each([
  ['while the app runs', 1],
  ['before it starts', 0],
])('a leap of the clock %s deletes nothing for a day', async (_when, leapsAfter) => {
  const { db } = await temporaryDatabase();
  const stores = createStores(db, [{ id: 'k1', key: new Uint8Array(32) }]);
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => vi.useRealTimers() && undefined);
  const keep = (now: () => Date) => {
    const eraser = { erase: async () => undefined };
    const stop = keepPruned({ db, stores, eraser, now, log: createLog({ level: 'silent' }) });
    onTestFinished(stop);
    return stop;
  };
  const nextTime = async () => {
    await vi.advanceTimersByTimeAsync(11 * 60_000);
    await sleep(5);
  };
  const press = interactionNamed(T1, 'block_actions/1');
  await stores.entries.takeOnce(press, start);
  const { auditEntries } = stores;
  await auditEntries.add(T1, { what: 'key_connected', by: 'U1', changes: [] }, start);
  const left = async () => (await auditEntries.list([T1], 9)).length;
  // An earlier run of the app.
  keep(() => start)();
  const rows = () => db.selectFrom('entries').select('name').execute();
  await expect.poll(rows).toHaveLength(2);

  let hours = 0;
  let asked = 0;
  keep(() => {
    asked += 1;
    return later(asked > leapsAfter ? 24 * 400 + hours : hours);
  });
  for (; hours < 23; hours += 1) await nextTime();
  expect(asked).toBeGreaterThan(10);
  expect(await left()).toBe(1);
  expect(await stores.entries.takeOnce(press, start)).toBe(false);
  for (; hours < 26; hours += 1) await nextTime();
  await expect.poll(left).toBe(0);
});
