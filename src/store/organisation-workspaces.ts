import type { Database } from './database.ts';

/** Which workspaces have the app through their organisation. */
export type OrganisationWorkspaceStore = {
  /** The organisation that gave the workspace the app, if one did and has it still. */
  organisationOf(workspaceId: string): Promise<string | undefined>;
  workspacesOf(organisationId: string): Promise<string[]>;
  add(organisationId: string, workspaceIds: readonly string[], now: Date): Promise<void>;
};

export function createOrganisationWorkspaceStore(db: Database): OrganisationWorkspaceStore {
  return {
    async organisationOf(workspaceId) {
      const row = await db
        .selectFrom('organisation_workspaces as given')
        .innerJoin('installations as install', 'install.workspace_id', 'given.organisation_id')
        .select('given.organisation_id')
        .where('given.workspace_id', '=', workspaceId)
        .executeTakeFirst();
      return row?.organisation_id;
    },

    async workspacesOf(organisationId) {
      const rows = await db
        .selectFrom('organisation_workspaces')
        .select('workspace_id')
        .where('organisation_id', '=', organisationId)
        .execute();
      return rows.map(({ workspace_id }) => workspace_id);
    },

    async add(organisationId, workspaceIds, now) {
      if (workspaceIds.length === 0) return;
      await db
        .insertInto('organisation_workspaces')
        .values(
          workspaceIds.map((workspace_id) => ({
            workspace_id,
            organisation_id: organisationId,
            since: now.getTime(),
          })),
        )
        // A workspace may move from one organisation to another.
        .onConflict((conflict) =>
          conflict.column('workspace_id').doUpdateSet((eb) => ({
            organisation_id: eb.ref('excluded.organisation_id'),
            since: eb.ref('excluded.since'),
          })),
        )
        .execute();
    },
  };
}
