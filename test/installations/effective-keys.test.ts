import { describe, expect, it } from 'vitest';
import type { WorkspaceId } from '../../src/installations/workspace-id.ts';
import { createEffectiveKeys } from '../../src/service/service-access.ts';
import { keyRejectedJob } from '../../src/slack/settings/tell-admins.ts';
import { newInstall } from '../store/installation-suite.ts';
import { openSqliteStores } from '../store/sqlite-files.ts';
import { at, claimOne } from '../store/stores-under-test.ts';
import { E1, T1, T2, T3 } from './ids.ts';

/** E1 gave T1 and T2 the app, and has a default key; T3 belongs to another company. */
async function setUp() {
  const { stores } = await openSqliteStores();
  await stores.installations.save(newInstall(E1), at(0));
  await stores.organizations.add(E1, [T1, T2], at(0));
  await stores.keys.save(E1, 'the-organization-s-key', 'U1', at(0));
  return { stores, keys: createEffectiveKeys(stores) };
}

/** The second at which it was rejected, and the job that notifies admins. */
const rejected = (workspaceId: WorkspaceId, second: number) => ({
  now: at(second),
  tell: keyRejectedJob(workspaceId),
});

describe('a workspace’s effective key', () => {
  it('is its organization’s default if it has none, and never another company’s', async () => {
    const { keys } = await setUp();
    expect((await keys.open(T1))?.key).toBe('the-organization-s-key');
    expect(await keys.describe(T1)).toMatchObject({ ofOrganization: E1, state: 'active' });
    expect(await keys.open(T3)).toBeUndefined();
    expect(await keys.describe(T3)).toBeUndefined();
  });

  it('is its own if it has one, even a rejected one', async () => {
    const { stores, keys } = await setUp();
    await stores.keys.save(T1, 'its-own-key-0123', 'U2', at(1));
    expect((await keys.open(T1))?.key).toBe('its-own-key-0123');
    expect((await keys.open(T2))?.key).toBe('the-organization-s-key');
    const fingerprint = String((await keys.describe(T1))?.fingerprint);
    expect(await keys.markRejected(T1, fingerprint, rejected(T1, 2))).toBe(true);
    expect(await keys.open(T1)).toBeUndefined();
    expect(await keys.describe(T1)).toMatchObject({ state: 'rejected' });
    expect((await stores.keys.describe(E1))?.state).toBe('active');
    await stores.keys.disconnect(T1, at(3));
    expect((await keys.open(T1))?.key).toBe('the-organization-s-key');
  });

  it('is none once the default was rejected in any workspace, which is announced once', async () => {
    const { stores, keys } = await setUp();
    const fingerprint = String((await keys.describe(T1))?.fingerprint);
    expect(await keys.markRejected(T1, fingerprint, rejected(T1, 1))).toBe(true);
    expect(await keys.markRejected(T2, fingerprint, rejected(T2, 1))).toBe(false);
    expect(await keys.open(T2)).toBeUndefined();
    expect(await claimOne(stores.jobTable, at(1))).toMatchObject({ workspaceId: T1 });
    expect(await claimOne(stores.jobTable, at(1))).toBeUndefined();
  });
});
