import { describe, expect, it, vi } from 'vitest';
import type { WorkspaceId } from '../../../src/installations/workspace-id.ts';
import { NotInstalledError } from '../../../src/slack/workspaces/workspaces.ts';
import { T1 } from '../../installations/ids.ts';
import { event } from './deliveries.ts';
import { startIntake } from './intake-under-test.ts';

describe('an event for a workspace without the app', () => {
  it('is acknowledged and not stored', async () => {
    const { sendJson, stored } = await startIntake(undefined, { admit: async () => undefined });
    expect((await sendJson(event('Ev1'))).status).toBe(200);
    expect(await stored()).toEqual([]);
  });

  it('that was stored before the uninstall deletes the workspace’s data, and isn’t retried', async () => {
    const deleteIfUninstalled = vi.fn(async (_workspaceId: WorkspaceId) => undefined);
    const { sendJson, stored } = await startIntake(
      (bolt) =>
        bolt.event('app_home_opened', async () => {
          throw new NotInstalledError(T1);
        }),
      { deleteIfUninstalled },
    );
    await sendJson(event('Ev1'));
    await expect.poll(stored).toEqual(['slack-event done']);
    expect(deleteIfUninstalled).toHaveBeenCalledExactlyOnceWith(T1);
  });
});
