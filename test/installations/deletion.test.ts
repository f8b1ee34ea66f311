import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { createDeletion } from '../../src/deletion.ts';
import type { OwnerId, WorkspaceId } from '../../src/installations/workspace-id.ts';
import { createLog } from '../../src/ops/logging.ts';
import { WORKSPACE_TABLES } from '../../src/store/tables.ts';
import { newInstall } from '../store/installation-suite.ts';
import { newRequest } from '../store/request-suite.ts';
import { at } from '../store/stores-under-test.ts';
import { connectedWorkspaces } from './connected-workspaces.ts';
import { E1, T1, T2 } from './ids.ts';

type Answers = Parameters<typeof createDeletion>[0]['workspaces'];

/** T1 and T2, each with a row in every table. */
async function setUp(isInstalled: () => Promise<boolean>) {
  const workspaces = await connectedWorkspaces();
  const { stores, service, referenceLists, cards, db, connect } = workspaces;
  await connect(T2);
  for (const workspaceId of [T1, T2]) {
    const id = `of-${workspaceId}`;
    await stores.requests.add(newRequest(id, { workspaceId }), at(0));
    await stores.jobTable.add({ kind: 'test', workspaceId, payload: {} }, at(0));
    const entry = { what: 'key_connected', by: 'U1', changes: [] } as const;
    await stores.auditEntries.add(workspaceId, entry, at(0));
    const card = { workspaceId, cardId: 'card-1' };
    await stores.watches.begin(card, { watchId: `watch-of-${workspaceId}` }, at(0));
    await stores.watches.addWatcher(card, { userId: 'U1' }, at(0));
    await stores.watches.addMessage(card, { channel: 'C1', ts: '1.1', shown: {} }, at(0));
    await stores.installations.save(newInstall(workspaceId), at(0));
    await stores.organizations.add(E1, [workspaceId], at(0));
  }
  const forget = vi.fn();
  const log = createLog({ level: 'silent' });
  const answers: Answers = { isInstalled, isGranted: async () => false, forget };
  /** @param more other answers of Slack */
  const uninstall = (id: OwnerId, more: Partial<Answers> = {}) =>
    createDeletion({
      db,
      stores,
      service,
      referenceLists,
      cards,
      now: () => at(1),
      log,
      workspaces: { ...answers, ...more },
    }).deleteIfUninstalled(id);
  /** How many rows of a workspace each table has. */
  const rowsOf = (workspaceId: WorkspaceId) =>
    Promise.all(
      WORKSPACE_TABLES.map(async (table) => {
        const { rows } = await sql<{ count: number }>`
          select count(*) as count from ${sql.table(table)} where workspace_id = ${workspaceId}
        `.execute(db);
        return Number(rows[0]?.count);
      }),
    );
  return { ...workspaces, uninstall, forget, rowsOf };
}

describe('a workspace that uninstalled the app', () => {
  it('has no row left in any table, and no other workspace loses one', async () => {
    const { uninstall, rowsOf, forget, service, referenceLists } = await setUp(async () => false);
    expect(await rowsOf(T1)).toEqual((await rowsOf(T1)).map(() => 1));
    const others = await rowsOf(T2);
    await referenceLists.formOptions(T1);
    await uninstall(T1);
    expect(new Set(await rowsOf(T1))).toEqual(new Set([0]));
    expect(await rowsOf(T2)).toEqual(others);
    expect(forget).toHaveBeenCalledExactlyOnceWith(T1);
    expect(await referenceLists.cachedFormOptions(T1)).toMatchObject({ brands: [] });
    await expect(service.call(T1, (api) => api.listTags())).rejects.toMatchObject({
      reason: 'no_key',
    });
  });

  it('loses nothing if it is installed again while Slack is asked about the old installation', async () => {
    const { uninstall, stores, rowsOf, service } = await setUp(async () => false);
    const isInstalled = async () => {
      await stores.installations.save(newInstall(T1, { token: 'xoxb-new' }), at(1));
      return false;
    };
    await uninstall(T1, { isInstalled });
    expect(new Set(await rowsOf(T1))).toEqual(new Set([1]));
    expect(await service.call(T1, (api) => api.listTags())).not.toHaveLength(0);
  });
});

describe('an organization that uninstalled the app', () => {
  it('takes its workspaces with it, except those that installed the app themselves', async () => {
    const { uninstall, stores, rowsOf } = await setUp(async () => false);
    await stores.installations.save(newInstall(E1), at(0));
    const [t1, t2] = [await stores.installations.describe(T1), T2];
    if (t1) await stores.installations.remove({ id: T1, version: t1.version });
    const isInstalled = async (id: string) => id === t2;
    await uninstall(E1, { isInstalled });
    expect(await stores.installations.describe(E1)).toBeUndefined();
    expect(new Set(await rowsOf(T1))).toEqual(new Set([0]));
    expect(new Set(await rowsOf(T2))).toEqual(new Set([1]));
  });

  it('leaves the workspaces that it still gives the app', async () => {
    const { uninstall, stores, rowsOf } = await setUp(async () => false);
    await stores.installations.save(newInstall(E1), at(0));
    const before = await rowsOf(T1);
    await uninstall(T1, { isGranted: async () => true });
    // Its own installation has ended; it has the app from the organization.
    expect(await stores.installations.describe(T1)).toBeUndefined();
    expect((await rowsOf(T1)).reduce((a, b) => a + b)).toBe(before.length - 1);
    await uninstall(T1);
    expect(new Set(await rowsOf(T1))).toEqual(new Set([0]));
  });
});
