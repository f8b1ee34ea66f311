import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLog } from '../../../src/ops/logging.ts';
import { createLiveInstallations } from '../../../src/slack/workspaces/live-installations.ts';
import { createWorkspaces, NotInstalledError } from '../../../src/slack/workspaces/workspaces.ts';
import { E1, T1, T3, T4, T5, T7, T9 } from '../../installations/ids.ts';
import { newInstall } from '../../store/installation-suite.ts';
import { openSqliteStores } from '../../store/sqlite-files.ts';
import { at } from '../../store/stores-under-test.ts';

/** T1 and T9 installed the app themselves, E1 for T3 and T4. T7 doesn't have it. */
async function setUp() {
  const { stores } = await openSqliteStores();
  for (const id of [T1, T9, E1]) await stores.installations.save(newInstall(id), at(0));
  await stores.organizations.add(E1, [T3, T4], at(0));
  const now = () => at(0);
  const log = createLog({ level: 'silent' });
  const exchange = { refresh: () => Promise.reject(new Error('nothing expires here')) };
  const workspaces = createWorkspaces({
    ...stores,
    live: createLiveInstallations({ ...stores, botToken: undefined, exchange, now, log }),
    clientOptions: {},
    isSingle: false,
    now,
    log,
  });
  // Bolt's own reading of a payload is ignored.
  const source = { teamId: T9, enterpriseId: undefined, isEnterpriseInstall: false } as const;
  const authorize = async (body: unknown) => {
    const { client, teamId } = await workspaces.authorize(source, body);
    return { token: client.token, teamId };
  };
  return { stores, workspaces, authorize };
}

const linkShared = (fields: Record<string, unknown>) => ({
  type: 'event_callback',
  event_id: 'Ev1',
  event: { type: 'link_shared' },
  ...fields,
});
const ofE1 = { team_id: null, enterprise_id: 'E1', is_enterprise_install: true };
const commandInE1 = { enterprise_id: 'E1', is_enterprise_install: 'true' };
const pressed = (fields: Record<string, unknown>) => ({ type: 'block_actions', ...fields });

describe('the token and workspace of a delivery', () => {
  it('are those of a workspace of the organization that the app sees for the first time', async () => {
    const { authorize, stores } = await setUp();
    const body = { command: '/x', team_id: 'T5', ...commandInE1 };
    expect(await authorize(body)).toEqual({ token: 'xoxb-E1', teamId: T5 });
    expect(await stores.organizations.organizationOf(T5)).toBe(E1);
  });

  it('are its own ones, also if its organization has the app in all workspaces', async () => {
    const { authorize, stores, workspaces } = await setUp();
    await stores.installations.save(newInstall(T3), at(0));
    const body = { command: '/x', team_id: 'T3', ...commandInE1 };
    expect(await authorize(body)).toEqual({ token: 'xoxb-T3', teamId: T3 });
    expect((await workspaces.of(T3)).token).toBe('xoxb-T3');
  });

  it('stored with SLACK_BOT_TOKEN earlier count as installed until Slack says that the app is gone', async () => {
    const { stores, workspaces } = await setUp();
    await stores.installations.save({ id: T7 }, at(0));
    expect(await workspaces.isInstalled(T7, { isUninstallReported: false })).toBe(true);
    expect(await workspaces.isInstalled(T7, { isUninstallReported: true })).toBe(false);
  });
});

describe('any delivery', () => {
  const anywhere = fc.constantFrom(T1, T3, T4, T7, T9, null, undefined);
  const flag = fc.constantFrom(true, false, undefined);
  const noise = { team_id: anywhere, is_ext_shared_channel: flag };

  /** A delivery, and the workspaces it may belong to according to Slack. */
  const deliveries = fc.oneof(
    fc
      .record({ id: fc.constantFrom(T1, T7, T9), context: anywhere, ...noise })
      .map(({ id, context, ...rest }) => ({
        body: linkShared({ ...rest, context_team_id: context, authorizations: [{ team_id: id }] }),
        may: [id],
      })),
    fc
      .record({ context: fc.constantFrom(T3, T4, null, undefined), ...noise })
      .map(({ context, ...rest }) => ({
        body: linkShared({ ...rest, context_team_id: context, authorizations: [ofE1] }),
        may: context ? [context] : [E1],
      })),
    fc.record({ id: fc.constantFrom(T1, T7, T9), from: anywhere }).map(({ id, from }) => ({
      body: pressed({ team: { id }, user: { id: 'U1', team_id: from } }),
      may: [id],
    })),
    fc.record({ from: anywhere, shown: anywhere }).map(({ from, shown }) => ({
      body: pressed({
        team: null,
        enterprise: { id: 'E1' },
        is_enterprise_install: true,
        user: { id: 'U1', team_id: from },
        view: { team_id: shown },
      }),
      may: [T3, T4, E1],
    })),
  );

  it('belongs to the workspace that Slack authorized it for, with that one’s client, or to none', async () => {
    const { authorize, stores } = await setUp();
    await fc.assert(
      fc.asyncProperty(deliveries, async ({ body, may }) => {
        const result = await authorize(body).catch((error: unknown) => {
          if (error instanceof NotInstalledError) return undefined;
          throw error;
        });
        if (result) {
          const { token, teamId } = result;
          expect(may).toContain(teamId);
          const installed = ['T3', 'T4', 'E1'].includes(teamId) ? E1 : teamId;
          expect(token).toBe(`xoxb-${installed}`);
        } else {
          expect(may).toEqual([T7]);
        }
      }),
      { numRuns: 1_000 },
    );
    // Nothing wrong was stored.
    expect((await stores.organizations.workspacesOf(E1)).toSorted()).toEqual([T3, T4]);
  });
});
