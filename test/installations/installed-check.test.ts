import { describe, expect, it } from 'vitest';
import { createInstalledCheck } from '../../src/installations/installed-check.ts';
import { newInstall } from '../store/installation-suite.ts';
import { openSqliteStores } from '../store/sqlite-files.ts';
import { at } from '../store/stores-under-test.ts';
import { E1, T1, T2, T3 } from './ids.ts';

async function setUp() {
  const { stores } = await openSqliteStores();
  const clock = { now: at(0) };
  const open = () => createInstalledCheck({ ...stores, now: () => clock.now });
  await stores.installations.save(newInstall(T1), at(0));
  const leave = async () => stores.rows.deleteAll(T1, await stores.installations.describe(T1));
  return { stores, clock, open, leave };
}

describe('the check whether a workspace has the app', () => {
  it('is true for those that installed it, and those that an organization gave it to', async () => {
    const { stores, open } = await setUp();
    await stores.installations.save(newInstall(E1), at(0));
    await stores.organizations.add(E1, [T2], at(0));
    const installedCheck = open();
    const has = await Promise.all([T1, E1, T2, T3].map(installedCheck.has));
    expect(has).toEqual([true, true, true, false]);
  });

  it('notices at once when it is removed, and within seconds on other replicas', async () => {
    const { open, leave, clock } = await setUp();
    const [here, elsewhere] = [open(), open()];
    expect([await here.has(T1), await elsewhere.has(T1)]).toEqual([true, true]);
    await leave();
    here.forget(T1);
    expect(await here.has(T1)).toBe(false);
    clock.now = at(5.001);
    expect(await elsewhere.has(T1)).toBe(false);
  });

  it('isn’t cached longer if the clock is set back', async () => {
    const { open, leave, clock } = await setUp();
    const elsewhere = open();
    expect(await elsewhere.has(T1)).toBe(true);
    await leave();
    clock.now = at(-3_600);
    expect(await elsewhere.has(T1)).toBe(true);
    clock.now = at(-3_600 + 5.001);
    expect(await elsewhere.has(T1)).toBe(false);
  });

  it('isn’t made true again by a check that was in progress', async () => {
    const { stores, leave, clock } = await setUp();
    const { promise: asked, resolve: go } = Promise.withResolvers<void>();
    const installedCheck = createInstalledCheck({
      organizations: stores.organizations,
      installations: {
        async describe(id) {
          const found = await stores.installations.describe(id);
          await asked;
          return found;
        },
      },
      now: () => clock.now,
    });
    const looking = installedCheck.has(T1);
    await leave();
    installedCheck.forget(T1);
    go();
    await looking;
    expect(await installedCheck.has(T1)).toBe(false);
  });

  it('notices an installation at once', async () => {
    const { stores, open } = await setUp();
    const installedCheck = open();
    expect(await installedCheck.has(T2)).toBe(false);
    await stores.installations.save(newInstall(T2), at(0));
    expect(await installedCheck.has(T2)).toBe(true);
  });
});
