import { describe, expect, it } from 'vitest';
import { createConnecting } from '../../src/installations/connect-key.ts';
import { DEFAULT_SETTINGS, saveSettings } from '../../src/installations/settings.ts';
import { asWorkspace, type OwnerId } from '../../src/installations/workspace-id.ts';
import { createEffectiveKeys } from '../../src/service/service-access.ts';
import { type Administrator, NotAdministratorError } from '../../src/store/stores.ts';
import { newInstall } from '../store/installation-suite.ts';
import { kindsOf } from '../store/kinds-of.ts';
import { newRequest } from '../store/request-suite.ts';
import { at } from '../store/stores-under-test.ts';
import { connectedWorkspaces } from './connected-workspaces.ts';
import { E1, T1, T2, T3, T4 } from './ids.ts';

async function setUp() {
  const workspaces = await connectedWorkspaces();
  const { stores, service, referenceLists, cards, clock } = workspaces;
  const now = () => clock.now;
  const ctx = { ...stores, service, now, referenceLists, cards };
  return { ...workspaces, ctx, ...createConnecting(ctx) };
}

const adminOf = (...administers: OwnerId[]): Administrator => ({ id: 'U1', administers });

it('connecting a key of an organization sends what was waiting in all its workspaces', async () => {
  const { ctx, stores, design } = await setUp();
  await stores.organizations.add(E1, [T2, T3], at(0));
  // A request from an unknown workspace of the organization is stored under the organization itself.
  for (const [id, workspaceId] of Object.entries({ r1: asWorkspace(E1), r2: T3, r3: T4 })) {
    const request = newRequest(id, { workspaceId });
    await stores.requests.add(request, at(0));
    await stores.requests.changeState(request, ['queued'], 'waiting_for_key', {}, at(0));
  }
  const input = {
    workspaceId: T2,
    by: adminOf(T2, E1),
    key: design.issueKey(),
    organizationId: E1,
  };
  // T3 uses the organization's key; T4 belongs to another one.
  const keys = createEffectiveKeys(stores);
  await stores.installations.save(newInstall(E1), at(0));
  expect(await createConnecting({ ...ctx, keys }).connect(input)).toEqual({
    connected: true,
    sent: 2,
    authors: [],
  });
  expect((await stores.requests.get(T4, 'r3'))?.state).toBe('waiting_for_key');
});

describe('an admin of a workspace', () => {
  const of = adminOf(T1);

  it('changes nothing of the organization or of another workspace, whatever was checked before', async () => {
    const { ctx, connect, disconnect, stores, design } = await setUp();
    await connect({
      workspaceId: T2,
      by: adminOf(T2, E1),
      key: design.issueKey(),
      organizationId: E1,
    });
    const before = await stores.keys.describe(E1);
    const key = design.issueKey();
    for (const owner of [T2, asWorkspace(E1)]) {
      const attempts = [
        () => connect({ workspaceId: owner, by: of, key }),
        () => connect({ workspaceId: T1, by: of, key, organizationId: E1 }),
        () => disconnect({ owner, by: of }),
        () => saveSettings(ctx, { workspaceId: owner, by: of, changed: { muted: true } }),
        () =>
          saveSettings(ctx, {
            workspaceId: owner,
            by: of,
            changed: {},
            channel: { id: 'C1', changed: {} },
          }),
      ];
      for (const attempt of attempts)
        await expect(attempt()).rejects.toThrow(NotAdministratorError);
    }
    expect(await stores.keys.describe(E1)).toEqual(before);
    expect(await kindsOf(stores).settings.get(asWorkspace(E1))).toEqual(DEFAULT_SETTINGS);
  });
});
