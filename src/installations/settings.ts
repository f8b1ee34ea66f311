import { z } from 'zod';
import { changesBetween } from '../store/audit-entries.ts';
import { type Entries, entryKind, onceKind } from '../store/entries.ts';
import type { Administrator, Transact } from '../store/stores.ts';
import type { WorkspaceId } from './workspace-id.ts';

export const previews = z.enum(['small', 'large', 'off']);
export type Previews = z.infer<typeof previews>;

/** Whether cards are shown as Work Objects, and whether the pane shows a page with their images. */
export const workObjects = z.enum(['off', 'on', 'gallery']);

/** By default, nothing leaves the company, and previews stay small. Unknown values become that. */
const workspaceSettings = z.object({
  unfurls: previews.catch('small'),
  /** Whether cards may be shown in channels shared with another company. */
  shareExternally: z.boolean().catch(false),
  guestsAllowed: z.boolean().catch(false),
  /** If so, nobody is told about changes of watched cards. */
  muted: z.boolean().optional(),
  /** The service's project to search for requests in doubt. */
  projectId: z.string().optional(),
  workObjects: workObjects.catch('off'),
});
export type WorkspaceSettings = z.infer<typeof workspaceSettings>;

export const DEFAULT_SETTINGS: WorkspaceSettings = workspaceSettings.parse({});

/** What a channel has of its own; the rest is as in its workspace. */
const channelSettings = z.object({
  unfurls: previews.optional().catch(undefined),
  /** If so, watchers get direct messages about changes. */
  muted: z.boolean().optional(),
});
export type ChannelSettings = z.infer<typeof channelSettings>;

const OF_WORKSPACE = entryKind('workspace_settings', workspaceSettings);
const OF_CHANNEL = entryKind('channel_settings', channelSettings);
const WORK_OBJECT_REFUSED = onceKind('work_object_refused', 24 * 60 * 60_000);

export type WorkspaceSettingsStore = ReturnType<typeof createWorkspaceSettings>;

export function createWorkspaceSettings(entries: Entries) {
  const keyOf = (owner: WorkspaceId) => ({ kind: OF_WORKSPACE, owner, name: '' });
  const ofChannel = (owner: WorkspaceId, name: string) => ({ kind: OF_CHANNEL, owner, name });
  const refused = (owner: WorkspaceId) => ({ kind: WORK_OBJECT_REFUSED, owner, name: '' });
  const ofChannels = {
    get: async (id: WorkspaceId, channelId: string): Promise<ChannelSettings> =>
      (await entries.get(ofChannel(id, channelId)))?.value ?? {},
    save: (id: WorkspaceId, channelId: string, settings: ChannelSettings, now: Date) =>
      entries.put(ofChannel(id, channelId), settings, now),
  };
  return {
    ofChannels,

    /** @param channelId where they apply: a channel may have another size of previews */
    async get(id: WorkspaceId, channelId?: string): Promise<WorkspaceSettings> {
      const [own, here] = await Promise.all([
        entries.get(keyOf(id)),
        channelId === undefined ? undefined : ofChannels.get(id, channelId),
      ]);
      const settings = own?.value ?? DEFAULT_SETTINGS;
      return { ...settings, unfurls: here?.unfurls ?? settings.unfurls };
    },

    /** Also forgets that Slack refused a Work Object: the admin may have changed the Slack app. */
    async save(id: WorkspaceId, settings: WorkspaceSettings, now: Date): Promise<void> {
      await entries.put(keyOf(id), settings, now);
      await entries.remove(refused(id));
    },

    /** When Slack last refused a Work Object, since the settings were saved. */
    workObjectsRefusedAt: async (id: WorkspaceId): Promise<Date | undefined> =>
      (await entries.get(refused(id)))?.changedAt,
    workObjectsRefused: (id: WorkspaceId, now: Date) => entries.put(refused(id), true, now),
  };
}

/** Only what changes: another admin may have saved the rest. An undefined setting is removed. */
export type SettingsChange = {
  workspaceId: WorkspaceId;
  by: Administrator;
  changed: Partial<WorkspaceSettings>;
  channel?: { id: string; changed: Partial<ChannelSettings> } | undefined;
};

export async function saveSettings(
  ctx: { transact: Transact; now: () => Date },
  { workspaceId, by, changed, channel }: SettingsChange,
): Promise<void> {
  const now = ctx.now();
  await ctx.transact(async ({ administer }) => {
    const { entries, record } = await administer(workspaceId, by);
    const settings = createWorkspaceSettings(entries);
    const before = await settings.get(workspaceId);
    const after = { ...before, ...changed };
    const changes = changesBetween(before, after);
    await settings.save(workspaceId, after, now);
    if (changes.length > 0) await record({ what: 'settings_changed', changes }, now);
    if (!channel) return;
    const { id: about } = channel;
    const beforeHere = await settings.ofChannels.get(workspaceId, about);
    const afterHere = { ...beforeHere, ...channel.changed };
    const ofChannel = changesBetween(beforeHere, afterHere);
    if (ofChannel.length === 0) return;
    await settings.ofChannels.save(workspaceId, about, afterHere, now);
    await record({ what: 'settings_changed', about, changes: ofChannel }, now);
  });
}
