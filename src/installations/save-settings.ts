import { changesBetween } from '../store/audit-entries.ts';
import type { ChannelSettings } from '../store/channel-settings.ts';
import type { Transact } from '../store/transact.ts';
import type { WorkspaceSettings } from '../store/workspace-settings.ts';
import type { WorkspaceId } from './workspace-id.ts';

/** Saves the settings of a workspace, and of a channel if one is given, and records what changed. */
export async function saveSettings(
  ctx: { transact: Transact; now: () => Date },
  input: {
    workspaceId: WorkspaceId;
    by: string;
    settings: WorkspaceSettings;
    channel?: { id: string; settings: ChannelSettings } | undefined;
  },
): Promise<void> {
  const { workspaceId, by, settings: after, channel } = input;
  const now = ctx.now();
  await ctx.transact(async ({ settings, channelSettings, auditEntries }) => {
    const changes = changesBetween(await settings.get(workspaceId), after);
    await settings.save(workspaceId, after, by, now);
    if (changes.length > 0) {
      await auditEntries.add(workspaceId, { what: 'settings_changed', by, changes }, now);
    }
    if (!channel) return;
    const { id: about } = channel;
    const ofChannel = changesBetween(
      await channelSettings.get(workspaceId, about),
      channel.settings,
    );
    if (ofChannel.length === 0) return;
    await channelSettings.save(workspaceId, about, channel.settings, { by, now });
    const entry = { what: 'settings_changed', by, about, changes: ofChannel } as const;
    await auditEntries.add(workspaceId, entry, now);
  });
}
