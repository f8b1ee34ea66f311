import type { WorkspaceId } from '../installations/workspace-id.ts';
import type { Database } from './database.ts';

export type WorkspaceSettings = {
  /** How card links are shown. */
  unfurls: 'full' | 'compact' | 'off';
  /** Whether cards may be shown in channels that are shared with another company. */
  shareExternally: boolean;
  /** Whether guests may use the app, as full members may. */
  guestsAllowed: boolean;
  /** The service's project in which a request is looked for that may have arrived. */
  projectId?: string | undefined;
};

/** What holds until an admin decides otherwise: nothing leaves the company. */
export const DEFAULT_SETTINGS: WorkspaceSettings = {
  unfurls: 'full',
  shareExternally: false,
  guestsAllowed: false,
};

export type WorkspaceSettingsStore = {
  get(workspaceId: WorkspaceId): Promise<WorkspaceSettings>;
  save(workspaceId: WorkspaceId, settings: WorkspaceSettings, by: string, now: Date): Promise<void>;
};

export function createWorkspaceSettingsStore(db: Database): WorkspaceSettingsStore {
  return {
    async get(workspaceId) {
      const row = await db
        .selectFrom('workspace_settings')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .executeTakeFirst();
      if (!row) return DEFAULT_SETTINGS;
      return {
        unfurls: row.unfurls,
        shareExternally: row.share_externally === 1,
        guestsAllowed: row.guests_read === 1,
        projectId: row.project_id ?? undefined,
      };
    },

    async save(workspaceId, settings, by, now) {
      const row = {
        unfurls: settings.unfurls,
        share_externally: settings.shareExternally ? (1 as const) : (0 as const),
        guests_read: settings.guestsAllowed ? (1 as const) : (0 as const),
        project_id: settings.projectId ?? null,
        changed_by: by,
        changed_at: now.getTime(),
      };
      await db
        .insertInto('workspace_settings')
        .values({ workspace_id: workspaceId, ...row })
        .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(row))
        .execute();
    },
  };
}
