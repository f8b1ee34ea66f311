import { describe, expect, it, onTestFinished } from 'vitest';
import { createLeftoverDeletion } from '../../src/installations/delete-leftovers.ts';
import { createLog } from '../../src/ops/logging.ts';
import { newInstall } from '../store/installation-suite.ts';
import { once } from '../store/once.ts';
import { openSqliteStores } from '../store/sqlite-files.ts';
import { at } from '../store/stores-under-test.ts';
import { T1, T2 } from './ids.ts';

async function swept() {
  const { stores } = await openSqliteStores();
  await stores.installations.save(newInstall(T1), at(0));
  let erased = 0;
  const leftovers = createLeftoverDeletion({
    rows: stores.rows,
    erase: async () => {
      erased += 1;
    },
    log: createLog({ level: 'silent' }),
    afterUninstallMs: [20, 300, 900],
  });
  onTestFinished(() => leftovers.end());
  return { stores, leftovers, erased: () => erased };
}

describe('data of workspaces without the app', () => {
  it('is deleted at startup, and nothing of other workspaces', async () => {
    const { stores } = await openSqliteStores();
    await stores.installations.save(newInstall(T1), at(0));
    for (const id of [T1, T2]) await stores.entries.takeOnce(once(id, 'U1'), at(0));
    const leftovers = createLeftoverDeletion({
      rows: stores.rows,
      erase: async () => undefined,
      log: createLog({ level: 'silent' }),
    });
    leftovers.start();
    onTestFinished(() => leftovers.end());
    await expect.poll(() => stores.entries.get(once(T2, 'U1'))).toBeUndefined();
    expect(await stores.entries.get(once(T1, 'U1'))).toBeDefined();
  });

  it('is deleted soon after an uninstall, even if written after it', async () => {
    const { stores, leftovers, erased } = await swept();
    leftovers.afterUninstall();
    await stores.entries.takeOnce(once(T2, 'late'), at(0));
    await expect.poll(() => stores.entries.get(once(T2, 'late'))).toBeUndefined();
    await expect.poll(erased).toBeGreaterThan(0);
  });

  it('is deleted soon after a start, since the process that knew of the uninstall may have ended', async () => {
    const { stores, leftovers, erased } = await swept();
    await stores.entries.takeOnce(once(T2, 'early'), at(0));
    leftovers.start();
    await expect.poll(erased).toBe(1);
    await stores.entries.takeOnce(once(T2, 'late'), at(0));
    await expect.poll(() => stores.entries.get(once(T2, 'late'))).toBeUndefined();
  });
});
