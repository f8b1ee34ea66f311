import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { deleteWorkspace } from '../../src/installations/delete-workspace.ts';
import type { WorkspaceId } from '../../src/installations/workspace-id.ts';
import { createLog } from '../../src/ops/logging.ts';
import { newInstall } from '../store/installation-suite.ts';
import { newRequest } from '../store/request-suite.ts';
import { at } from '../store/stores-under-test.ts';
import { connectedWorkspaces } from './connected-workspaces.ts';
import { E1, T1, T2 } from './ids.ts';

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
  const close = vi.fn();
  const ctx = {
    ...{ ...stores, service, isInstalled, close, log: createLog({ level: 'silent' }) },
    ...{ isGranted: async () => false, referenceLists, cards },
  };
  /** How many rows of a workspace each table has. */
  async function rowsOf(workspaceId: WorkspaceId) {
    const tables = (await db.introspection.getTables()).filter(({ columns }) =>
      columns.some(({ name }) => name === 'workspace_id'),
    );
    expect(tables.length).toBeGreaterThanOrEqual(8);
    const counts = tables.map(async ({ name }) => {
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from ${sql.table(name)} where workspace_id = ${workspaceId}
      `.execute(db);
      return Number(rows[0]?.count);
    });
    return Promise.all(counts);
  }
  return { ...workspaces, ctx, close, rowsOf };
}

describe('a workspace that uninstalled the app', () => {
  it('has no row left in any table, and no other workspace loses one', async () => {
    const { ctx, rowsOf, close, service } = await setUp(async () => false);
    expect(await rowsOf(T1)).toEqual((await rowsOf(T1)).map(() => 1));
    const others = await rowsOf(T2);
    await ctx.referenceLists.formOptions(T1);
    await deleteWorkspace(ctx, { id: T1 });
    expect(new Set(await rowsOf(T1))).toEqual(new Set([0]));
    expect(await rowsOf(T2)).toEqual(others);
    expect(close).toHaveBeenCalledExactlyOnceWith(T1);
    expect(await ctx.referenceLists.cachedFormOptions(T1)).toMatchObject({ brands: [] });
    await expect(service.call(T1, (api) => api.listTags())).rejects.toMatchObject({
      reason: 'no_key',
    });
  });

  it('loses nothing if it is installed again while Slack is asked about the old installation', async () => {
    const { ctx, stores, rowsOf, service } = await setUp(async () => false);
    const isInstalled = async () => {
      await stores.installations.save(newInstall(T1, { token: 'xoxb-new' }), at(1));
      return false;
    };
    await deleteWorkspace({ ...ctx, isInstalled }, { id: T1 });
    expect(new Set(await rowsOf(T1))).toEqual(new Set([1]));
    expect(await service.call(T1, (api) => api.listTags())).not.toHaveLength(0);
  });
});

it('an organization that uninstalled the app takes its workspaces with it, except those that installed the app themselves', async () => {
  const { ctx, stores, rowsOf } = await setUp(async () => false);
  await stores.installations.save(newInstall(E1), at(0));
  const [t1, t2] = [await stores.installations.describe(T1), T2];
  if (t1) await stores.installations.remove({ id: T1, version: t1.version });
  const isInstalled = async (id: string) => id === t2;
  await deleteWorkspace({ ...ctx, isInstalled }, { id: E1 });
  expect(await stores.installations.describe(E1)).toBeUndefined();
  expect(new Set(await rowsOf(T1))).toEqual(new Set([0]));
  expect(new Set(await rowsOf(T2))).toEqual(new Set([1]));
});
