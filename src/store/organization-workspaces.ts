import type { OrganizationId, OwnerId, WorkspaceId } from '../installations/workspace-id.ts';
import type { Database } from './database.ts';

export type OrganizationWorkspaceStore = ReturnType<typeof createOrganizationWorkspaceStore>;

export function createOrganizationWorkspaceStore(db: Database) {
  /** Compares strings: only a row shows that the ID is a workspace's. */
  const membershipOf = (id: string) =>
    db
      .selectFrom('organization_workspaces as given')
      .innerJoin('installations as install', 'install.workspaceId', 'given.organizationId')
      .select(['given.workspaceId', 'given.organizationId'])
      .where((eb) => eb(eb.ref('given.workspaceId').$castTo<string>(), '=', id))
      .executeTakeFirst();

  return {
    /** Undefined unless the organization still has the app itself. */
    organizationOf: async (ownerId: OwnerId) => (await membershipOf(ownerId))?.organizationId,

    /** Undefined unless it is the organization's. @param claimedId possibly another company's */
    async findWorkspace(organizationId: OrganizationId, claimedId: string) {
      const row = await membershipOf(claimedId);
      return row?.organizationId === organizationId ? row.workspaceId : undefined;
    },

    /** Empty if the owner is a workspace. */
    async workspacesOf(ownerId: OwnerId) {
      const rows = await db
        .selectFrom('organization_workspaces')
        .select('workspaceId')
        .where((eb) => eb(eb.ref('organizationId').$castTo<string>(), '=', ownerId))
        .execute();
      return rows.map(({ workspaceId }) => workspaceId);
    },

    async add(organizationId: OrganizationId, workspaceIds: readonly WorkspaceId[], now: Date) {
      if (workspaceIds.length === 0) return;
      const of = { organizationId, memberSince: now };
      await db
        .insertInto('organization_workspaces')
        // In one order, so that two transactions don't deadlock.
        .values(workspaceIds.toSorted().map((workspaceId) => ({ workspaceId, ...of })))
        // A workspace may move from one organization to another.
        .onConflict((conflict) => conflict.column('workspaceId').doUpdateSet(of))
        .execute();
    },
  };
}
