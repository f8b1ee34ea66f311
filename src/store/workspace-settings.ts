import type { WorkspaceId } from '../installations/workspace-id.ts';
import type { Database } from './database.ts';

/** How card links unfurl. */
export type Previews = 'small' | 'large' | 'off';

export type WorkspaceSettings = {
  unfurls: Previews;
  /** Whether cards may be shown in channels shared with another company. */
  shareExternally: boolean;
  guestsAllowed: boolean;
  /** Whether nobody is told about changes of watched cards. */
  muted?: boolean | undefined;
  /** The service's project to search for requests in doubt. */
  projectId?: string | undefined;
};

/** By default, nothing leaves the company, and previews don't fill the screen. */
export const DEFAULT_SETTINGS: WorkspaceSettings = {
  unfurls: 'small',
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
        muted: row.muted === 1 || undefined,
        projectId: row.project_id ?? undefined,
      };
    },

    async save(workspaceId, settings, by, now) {
      const row = {
        unfurls: settings.unfurls,
        share_externally: settings.shareExternally ? (1 as const) : (0 as const),
        guests_read: settings.guestsAllowed ? (1 as const) : (0 as const),
        muted: settings.muted ? (1 as const) : (0 as const),
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
