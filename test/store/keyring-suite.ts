import { describe, expect, it } from 'vitest';
import { OperatorError } from '../../src/ops/operator-error.ts';
import { T1, T2, T3, T4, T5, workspaceNamed } from '../installations/ids.ts';
import { at, encryptionKey, type OpenStores } from './stores-under-test.ts';

/** More than are encrypted again in one batch. */
const WORKSPACES = 230;
const [old, fresh] = [encryptionKey('old'), encryptionKey('new')];
const secretOf = (workspace: number) => `dsk_${workspace}-0123456789`;

async function sealed(openStores: OpenStores) {
  const opened = await openStores([old]);
  for (let workspace = 0; workspace < WORKSPACES; workspace += 1) {
    await opened.stores.keys.save(
      workspaceNamed(`T${workspace}`),
      secretOf(workspace),
      'U1',
      at(0),
    );
  }
  return opened;
}

export function describeKeyring(openStores: OpenStores): void {
  describe('the encryption keys', () => {
    it('can be replaced for every record, after which the old one isn’t needed', async () => {
      const { openAgain } = await sealed(openStores);
      const rotating = await openAgain([fresh, old]);
      expect(await rotating.keyring.reseal()).toEqual({ resealed: WORKSPACES, unreadable: 0 });
      expect(await rotating.keyring.reseal()).toEqual({ resealed: 0, unreadable: 0 });
      const { keys, keyring } = await openAgain([fresh]);
      expect(await keyring.require([])).toBe(0);
      for (let workspace = 0; workspace < WORKSPACES; workspace += 1) {
        expect((await keys.open(workspaceNamed(`T${workspace}`)))?.key).toBe(secretOf(workspace));
      }
    });

    it('leave alone records that were replaced during the rotation', async () => {
      const { stores, openAgain } = await openStores([old]);
      await stores.keys.save(T1, secretOf(1), 'U1', at(0));
      const rotating = await openAgain([fresh, old]);
      const [other] = await Promise.all([
        stores.keys.save(T1, secretOf(2), 'U1', at(1)),
        rotating.keyring.reseal(),
        rotating.keyring.reseal(),
      ]);
      expect(other).toBeUndefined();
      expect((await rotating.keys.open(T1))?.key).toBe(secretOf(2));
    });

    it('are reported as missing by name, with what they had encrypted', async () => {
      const { stores, db, openAgain } = await openStores([old]);
      await stores.keys.save(T1, secretOf(1), 'U1', at(0));
      await stores.keys.save(T2, secretOf(2), 'U1', at(0));
      // Deleted and damaged ones need no key.
      for (const id of [T4, T5]) await stores.keys.save(id, secretOf(4), 'U1', at(0));
      await stores.keys.disconnect(T4, at(1));
      await db
        .updateTable('api_keys')
        .set({ sealedKey: '{}' })
        .where('workspaceId', '=', T5)
        .execute();
      const { keyring, keys } = await openAgain([fresh]);
      await keys.save(T3, secretOf(3), 'U1', at(0));
      const refusal = await keyring.require([]).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(OperatorError);
      expect(String(refusal)).toMatch(/"old", which encrypted 2 of the API keys and tokens/);
      expect(await keyring.require(['old'])).toBe(2);
      expect(await keyring.reseal()).toEqual({ resealed: 0, unreadable: 3 });
      expect(await stores.keys.open(T1)).toMatchObject({ key: secretOf(1) });
    });

    it('are reported if another key has their ID, unless one record proves that it is the right one', async () => {
      const { stores, db, openAgain } = await openStores([old]);
      await stores.keys.save(T1, secretOf(1), 'U1', at(0));
      await stores.keys.save(T2, secretOf(2), 'U1', at(0));
      const wrong = (await openAgain([{ ...fresh, id: 'old' }])).keyring;
      const refusal = await wrong.require([]).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(OperatorError);
      expect(String(refusal)).toMatch(/"old", which encrypted 2 of the API keys and tokens/);
      // A record that was copied from another workspace.
      const { sealedKey } = await db
        .selectFrom('api_keys')
        .select('sealedKey')
        .where('workspaceId', '=', T2)
        .executeTakeFirstOrThrow();
      await db.updateTable('api_keys').set({ sealedKey }).where('workspaceId', '=', T1).execute();
      expect(await stores.keyring.require([])).toBe(0);
    });
  });
}
