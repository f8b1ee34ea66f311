import { changesBetween } from '../store/audit-entries.ts';
import type { Administrator, Transact } from '../store/transact.ts';
import {
  type ChannelSettings,
  createChannelSettings,
  createWorkspaceSettings,
  type WorkspaceSettings,
} from './settings.ts';
import type { WorkspaceId } from './workspace-id.ts';

/**
 * Saves what changes in the settings of a workspace, and of a channel if one is given, and records it. The rest stays as
 * it is now: another admin may have changed it.
 *
 * @param input.changed a setting that is there but undefined is removed
 */
export async function saveSettings(
  ctx: { transact: Transact; now: () => Date },
  input: {
    workspaceId: WorkspaceId;
    by: Administrator;
    changed: Partial<WorkspaceSettings>;
    channel?: { id: string; changed: Partial<ChannelSettings> } | undefined;
  },
): Promise<void> {
  const { workspaceId, by, changed, channel } = input;
  const now = ctx.now();
  await ctx.transact(async ({ administer }) => {
    const { entries, record } = await administer(workspaceId, by);
    const settings = createWorkspaceSettings(entries);
    const before = await settings.get(workspaceId);
    const after = { ...before, ...changed };
    const changes = changesBetween(before, after);
    await settings.save(workspaceId, after, now);
    if (changes.length > 0) {
      await record({ what: 'settings_changed', changes }, now);
    }
    if (!channel) return;
    const { id: about } = channel;
    const channelSettings = createChannelSettings(entries);
    const beforeHere = await channelSettings.get(workspaceId, about);
    const afterHere = { ...beforeHere, ...channel.changed };
    const ofChannel = changesBetween(beforeHere, afterHere);
    if (ofChannel.length === 0) return;
    await channelSettings.save(workspaceId, about, afterHere, now);
    await record({ what: 'settings_changed', about, changes: ofChannel }, now);
  });
}
