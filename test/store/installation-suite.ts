import { describe, expect, it } from 'vitest';
import type { OwnerId } from '../../src/installations/workspace-id.ts';
import type { NewInstallation } from '../../src/store/installations.ts';
import { E1, E2, E9, T1, T2, T3, T4 } from '../installations/ids.ts';
import { at, encryptionKey, type OpenStores, once } from './stores-under-test.ts';

export const newInstall = (
  id: OwnerId,
  changes: Partial<NewInstallation> = {},
): NewInstallation => ({
  id,
  token: `xoxb-${id}`,
  refreshToken: undefined,
  expiresAt: undefined,
  botUserId: 'U0',
  scopes: ['commands', 'chat:write'],
  installedBy: 'U1',
  ...changes,
});

export const rotating = (id: OwnerId) =>
  newInstall(id, { refreshToken: `xoxe-1-${id}`, expiresAt: at(43_200) });

export function describeInstallations(openStores: OpenStores): void {
  describe('an installation', () => {
    it('is read as it was stored, and only by its workspace', async () => {
      const { installations } = (await openStores()).stores;
      await installations.save(rotating(T1), at(0));
      expect(await installations.open(T1)).toEqual({
        ...rotating(T1),
        installedAt: at(0),
        version: expect.any(String),
      });
      expect(await installations.open(T2)).toBeUndefined();
    });

    it('is stored with its tokens encrypted for its workspace only', async () => {
      const { stores, db } = await openStores();
      await stores.installations.save(rotating(T1), at(0));
      const row = await db.selectFrom('installations').selectAll().executeTakeFirstOrThrow();
      expect(JSON.stringify(row)).not.toMatch(/xoxb-T1|xoxe-1-T1/);
      await db.updateTable('installations').set({ workspaceId: T2 }).execute();
      await expect(stores.installations.open(T2)).rejects.toThrow('belongs to another workspace');
      // And one of its tokens can't be used as the other.
      await db
        .updateTable('installations')
        .set({ workspaceId: T1, sealedToken: row.sealedRefreshToken })
        .execute();
      await expect(stores.installations.open(T1)).rejects.toThrow('belongs to another workspace');
    });

    it('without a token is used with that of the settings, and only then', async () => {
      const { installations } = (await openStores()).stores;
      await installations.save({ id: T1 }, at(0));
      expect(await installations.describe(T1)).toMatchObject({ installedAt: at(0) });
      expect(await installations.open(T1)).toBeUndefined();
      expect(await installations.open(T1, 'xoxb-set')).toMatchObject({ token: 'xoxb-set' });
      expect(await installations.open(T2, 'xoxb-set')).toBeUndefined();
    });

    it('is encrypted again with the newest key, both tokens', async () => {
      const [old, young] = [encryptionKey('old'), encryptionKey('young')];
      const { stores, openAgain } = await openStores([old]);
      await stores.installations.save(rotating(T1), at(0));
      await stores.installations.save(newInstall(T2), at(0));
      const both = await openAgain([young, old]);
      expect(await both.keyring.reseal()).toEqual({ resealed: 3, unreadable: 0 });
      expect(await both.keyring.reseal()).toEqual({ resealed: 0, unreadable: 0 });
      const only = await openAgain([young]);
      expect(await only.installations.open(T1)).toMatchObject({ refreshToken: 'xoxe-1-T1' });
      expect(await stores.keyring.reseal()).toEqual({ resealed: 0, unreadable: 3 });
    });

    it('is listed before its token expires, if that does', async () => {
      const { installations } = (await openStores()).stores;
      await installations.save(rotating(T1), at(0));
      await installations.save(newInstall(T2), at(0));
      expect(await installations.listExpiring(at(43_200))).toEqual([]);
      expect(await installations.listExpiring(at(43_201))).toEqual([T1]);
    });
  });

  describe('data of a workspace that uninstalled the app', () => {
    it('is kept if the workspace has installed the app again meanwhile', async () => {
      const { stores } = await openStores();
      const { installations, entries, rows } = stores;
      await installations.save(newInstall(T1), at(0));
      const left = await installations.describe(T1);
      await installations.save(newInstall(T1), at(0));
      await entries.takeOnce(once(T1, 'U1'), at(0));
      expect(await rows.deleteAll(T1, left)).toBeUndefined();
      expect(await rows.deleteAll(T1, undefined)).toBeUndefined();
      expect(await entries.get(once(T1, 'U1'))).toBeDefined();
      expect(await rows.deleteAll(T1, await installations.describe(T1))).toBe(2);
    });

    it('identifies the workspace, and no other', async () => {
      const { stores } = await openStores();
      const { installations, organizations, entries, rows } = stores;
      await installations.save(newInstall(T1), at(0));
      await installations.save(newInstall(E1), at(0));
      await organizations.add(E1, [T2], at(0));
      await organizations.add(E9, [T3], at(0));
      for (const id of [T1, T2, T3, T4]) await entries.takeOnce(once(id, 'U1'), at(0));
      expect((await rows.listForeign()).toSorted()).toEqual([T3, T4]);
    });
  });

  describe('an organization', () => {
    it('gives its workspaces the app for as long as it has it', async () => {
      const { installations, organizations, rows } = (await openStores()).stores;
      await organizations.add(E1, [T1, T2], at(0));
      expect(await organizations.organizationOf(T1)).toBeUndefined();
      await installations.save(newInstall(E1), at(0));
      expect(await organizations.organizationOf(T1)).toBe(E1);
      await organizations.add(E2, [T2], at(1));
      expect(await organizations.workspacesOf(E1)).toEqual([T1]);
      await rows.deleteAll(E1, await installations.describe(E1));
      expect(await organizations.organizationOf(T1)).toBeUndefined();
    });

    it('has a claimed workspace only if that was given the app', async () => {
      const { installations, organizations } = (await openStores()).stores;
      for (const id of [E1, E2]) await installations.save(newInstall(id), at(0));
      await organizations.add(E1, [T1], at(0));
      await organizations.add(E2, [T2], at(0));
      expect(await organizations.findWorkspace(E1, 'T1')).toBe(T1);
      for (const claimed of ['T2', 'T3', 'E1', 'U1', '']) {
        expect(await organizations.findWorkspace(E1, claimed)).toBeUndefined();
      }
    });
  });
}
