import { expect, it, onTestFinished, vi } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import { createStores } from '../../src/store/stores.ts';
import { workspaceNamed } from '../installations/ids.ts';
import { marksIn, writeMarkedRows } from '../store/marked-rows.ts';
import { sentRequest } from './form.ts';
import { startWorld, type World } from './world.ts';

const ROWS = 300;
/** The promised time until everything is gone, in ms; usually it takes less than a second. */
const PROMISED = { timeout: 60_000, interval: 100 };
const PRUNED_EVERY_MS = 11 * 60_000;
const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/** Ann has sent a request, after many other people. */
async function usedWorld(now: () => Date): Promise<World> {
  const { world, me } = await startWorld({ clock: now });
  await addRows(world, now());
  await sentRequest(world, me, {
    Title: 'Secret banner',
    Description: 'Secret description. '.repeat(500),
  });
  return world;
}

async function addRows({ config, acme }: World, now: Date): Promise<void> {
  const db = openDatabase(config.database);
  const stores = createStores(db, config.encryptionKeys);
  await writeMarkedRows({ db, stores }, { rows: ROWS, owners: [workspaceNamed(acme.id)], now });
  await db.destroy();
}

async function tracesIn({ folder }: World, traces: readonly string[]): Promise<string[]> {
  const counts = await Promise.all(traces.map((trace) => marksIn(folder, trace)));
  return traces.filter((_trace, index) => counts[index] !== 0);
}

it('no data of an uninstalled workspace stays in the database files', {
  timeout: 90_000,
}, async () => {
  const { world, acme, ann, general } = await usedWorld(() => new Date());
  const traces = ['Secret banner', 'Secret description', ann.id, general.id, acme.id];
  expect(await tracesIn(world, traces)).toEqual(traces);
  acme.uninstall(['app_uninstalled', 'tokens_revoked']);
  await expect.poll(() => tracesIn(world, traces), PROMISED).toEqual([]);
});

it('no data of requests half a year old stays in the database files of a running app', {
  timeout: 90_000,
}, async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  onTestFinished(() => vi.useRealTimers() && undefined);
  let now = Date.now();
  const world = await usedWorld(() => new Date(now));
  const traces = ['Secret banner', 'Secret description', `DR-${world.acme.id}`, world.ann.id];
  expect(await tracesIn(world, traces)).toEqual(traces);
  now += 181 * DAY_MS;
  // After such a leap of the clock, nothing is deleted for a day.
  const later = async () => {
    now += HOUR_MS;
    await vi.advanceTimersByTimeAsync(PRUNED_EVERY_MS);
    return tracesIn(world, traces);
  };
  for (let hours = 1; hours < 24; hours += 1) expect(await later()).toEqual(traces);
  await expect.poll(later, PROMISED).toEqual([]);
});
