import { z } from 'zod';
import type { WorkspaceId } from '../installations/workspace-id.ts';
import type { Database } from './database.ts';
import { createRowReader } from './row-reader.ts';

/** How card links unfurl. */
export const previews = z.enum(['small', 'large', 'off']);
export type Previews = z.infer<typeof previews>;

const workObjects = z.enum(['off', 'on', 'gallery']);

export type WorkspaceSettings = {
  unfurls: Previews;
  /** Whether cards may be shown in channels shared with another company. */
  shareExternally: boolean;
  guestsAllowed: boolean;
  /** Whether nobody is told about changes of watched cards. */
  muted?: boolean | undefined;
  /** The service's project to search for requests in doubt. */
  projectId?: string | undefined;
  /** Whether cards are shown as Work Objects, and whether the pane shows a page with their images. */
  workObjects: z.infer<typeof workObjects>;
};

/** By default, nothing leaves the company, and previews don't fill the screen. */
export const DEFAULT_SETTINGS: WorkspaceSettings = {
  unfurls: 'small',
  shareExternally: false,
  guestsAllowed: false,
  workObjects: 'off',
};

export type WorkspaceSettingsStore = {
  /** @param channelId where they apply: a channel may have another size of previews */
  get(workspaceId: WorkspaceId, channelId?: string): Promise<WorkspaceSettings>;
  /** Saving also clears the note that Slack refused a Work Object: the admin may have changed the Slack app. */
  save(workspaceId: WorkspaceId, settings: WorkspaceSettings, by: string, now: Date): Promise<void>;
  /** When Slack last refused a Work Object, since the settings were saved. */
  workObjectsRefusedAt(workspaceId: WorkspaceId): Promise<Date | undefined>;
  /** Remembers that Slack has refused a Work Object. */
  workObjectsRefused(workspaceId: WorkspaceId, now: Date): Promise<void>;
};

export function createWorkspaceSettingsStore(
  db: Database,
  read = createRowReader(),
): WorkspaceSettingsStore {
  return {
    async get(workspaceId, channelId = '') {
      // A channel's own are saved together with its workspace's, so there are none without those.
      const row = await db
        .selectFrom('workspace_settings')
        .leftJoin('channel_settings', (join) =>
          join
            .onRef('channel_settings.workspace_id', '=', 'workspace_settings.workspace_id')
            .on('channel_settings.channel_id', '=', channelId),
        )
        .selectAll('workspace_settings')
        .select('channel_settings.unfurls as unfurls_here')
        .where('workspace_settings.workspace_id', '=', workspaceId)
        .executeTakeFirst();
      if (!row) return DEFAULT_SETTINGS;
      const named = {
        table: 'workspace_settings',
        id: workspaceId,
        workspace: workspaceId,
      } as const;
      const ofChannel = {
        table: 'channel_settings',
        id: channelId,
        workspace: workspaceId,
      } as const;
      const here = row.unfurls_here && read(ofChannel, () => previews.parse(row.unfurls_here));
      return {
        unfurls:
          here || (read(named, () => previews.parse(row.unfurls)) ?? DEFAULT_SETTINGS.unfurls),
        shareExternally: row.share_externally === 1,
        guestsAllowed: row.guests_read === 1,
        muted: row.muted === 1 || undefined,
        projectId: row.project_id ?? undefined,
        workObjects:
          read(named, () => workObjects.parse(row.work_objects)) ?? DEFAULT_SETTINGS.workObjects,
      };
    },

    async save(workspaceId, settings, by, now) {
      const row = {
        unfurls: settings.unfurls,
        share_externally: settings.shareExternally ? (1 as const) : (0 as const),
        guests_read: settings.guestsAllowed ? (1 as const) : (0 as const),
        muted: settings.muted ? (1 as const) : (0 as const),
        project_id: settings.projectId ?? null,
        work_objects: settings.workObjects,
        work_objects_refused_at: null,
        changed_by: by,
        changed_at: now.getTime(),
      };
      await db
        .insertInto('workspace_settings')
        .values({ workspace_id: workspaceId, ...row })
        .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(row))
        .execute();
    },

    async workObjectsRefusedAt(workspaceId) {
      const row = await db
        .selectFrom('workspace_settings')
        .select('work_objects_refused_at')
        .where('workspace_id', '=', workspaceId)
        .executeTakeFirst();
      const at = row?.work_objects_refused_at;
      return at === null || at === undefined ? undefined : new Date(Number(at));
    },

    async workObjectsRefused(workspaceId, now) {
      await db
        .updateTable('workspace_settings')
        .set({ work_objects_refused_at: now.getTime() })
        .where('workspace_id', '=', workspaceId)
        .execute();
    },
  };
}
