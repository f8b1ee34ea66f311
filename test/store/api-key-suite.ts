import { describe, expect, it } from 'vitest';
import { SealError } from '../../src/store/encryption/sealed-box.ts';
import { T1, T2 } from '../installations/ids.ts';
import { at, type OpenStores } from './stores-under-test.ts';

const KEY = 'dsk_0123456789abcdefWXYZ';
const OTHER_KEY = 'dsk_another-key-of-theirs';

export function describeApiKeys(openStores: OpenStores): void {
  const openKeys = async () => (await openStores()).stores.keys;

  describe('the API key of a workspace', () => {
    it('is decrypted as it was saved last, and shows only its last four characters', async () => {
      const keys = await openKeys();
      await keys.save(T1, KEY, 'U1', at(0));
      expect(await keys.open(T1)).toMatchObject({ key: KEY });
      expect(await keys.describe(T1)).toMatchObject({
        state: 'active',
        lastFour: 'WXYZ',
        connectedBy: 'U1',
        changedAt: at(0),
      });
      expect(JSON.stringify(await keys.describe(T1))).not.toContain(KEY.slice(0, -4));
      expect([await keys.open(T2), await keys.describe(T2)]).toEqual([undefined, undefined]);
      const before = (await keys.describe(T1))?.fingerprint;
      await keys.save(T1, 'short-key', 'U2', at(1));
      expect(await keys.open(T1)).toMatchObject({ key: 'short-key' });
      const newer = { lastFour: '', connectedBy: 'U2', changedAt: at(1) };
      expect(await keys.describe(T1)).toMatchObject(newer);
      expect((await keys.describe(T1))?.fingerprint).not.toBe(before);
    });

    it('isn’t decrypted from a row copied from another workspace', async () => {
      const { stores, db } = await openStores();
      await stores.keys.save(T1, KEY, 'U1', at(0));
      await stores.keys.save(T2, OTHER_KEY, 'U2', at(0));
      const { sealedKey } = await db
        .selectFrom('api_keys')
        .select('sealedKey')
        .where('workspaceId', '=', T1)
        .executeTakeFirstOrThrow();
      await db.updateTable('api_keys').set({ sealedKey }).where('workspaceId', '=', T2).execute();
      await expect(stores.keys.open(T2)).rejects.toThrow(SealError);
      expect(await stores.keys.open(T1)).toMatchObject({ key: KEY });
    });
  });

  it('a rejected key doesn’t affect the one that has replaced it, nor the same key in another workspace', async () => {
    const keys = await openKeys();
    for (const id of [T1, T2]) await keys.save(id, KEY, 'U1', at(0));
    const old = (await keys.open(T1))?.fingerprint ?? '';
    expect(await keys.markRejected(T1, old, at(1))).toBe(true);
    expect(await keys.open(T1)).toBeUndefined();
    expect(await keys.open(T2)).toMatchObject({ key: KEY });
    await keys.save(T1, OTHER_KEY, 'U1', at(1));
    expect(await keys.markRejected(T1, old, at(2))).toBe(false);
    expect(await keys.open(T1)).toMatchObject({ key: OTHER_KEY });
  });

  it('a disconnected key is gone, whatever its state was, and was disconnected once', async () => {
    const { stores, db } = await openStores();
    expect(await stores.keys.disconnect(T1, at(0))).toBe(false);
    expect(await stores.keys.describe(T1)).toBeUndefined();
    await stores.keys.save(T1, KEY, 'U1', at(0));
    expect(await stores.keys.disconnect(T1, at(1))).toBe(true);
    expect(await stores.keys.disconnect(T1, at(2))).toBe(false);
    expect(await stores.keys.open(T1)).toBeUndefined();
    expect(await stores.keys.describe(T1)).toEqual({
      state: 'disconnected',
      connectedBy: 'U1',
      changedAt: at(1),
    });
    const row = await db.selectFrom('api_keys').selectAll().executeTakeFirstOrThrow();
    expect(row.sealedKey).toBeUndefined();
  });
}
