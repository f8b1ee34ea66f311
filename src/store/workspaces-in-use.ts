import type { WorkspaceId } from '../installations/workspace-id.ts';
import type { Database } from './database.ts';

export type WorkspacesInUse = ReturnType<typeof createWorkspacesInUse>;

/** A single busy workspace may have made all of these. */
const NEWEST_REQUESTS = 5_000;

/** The workspaces that will most likely open the form next. */
export function createWorkspacesInUse(db: Database) {
  const byRequest = () =>
    db
      .selectFrom('requests')
      .select('workspace_id')
      .orderBy('created_at', 'desc')
      .limit(NEWEST_REQUESTS)
      .execute();

  const byKey = (most: number) =>
    db
      .selectFrom('api_keys')
      .select(['workspace_id', 'changed_at as since'])
      .where('state', '=', 'active')
      .where('workspace_id', 'not in', (eb) =>
        eb.selectFrom('organization_workspaces').select('organization_id'),
      )
      // Organizations were excluded, except those that gave the app to no workspace, which does no harm.
      .$narrowType<{ workspace_id: WorkspaceId }>()
      .unionAll((eb) =>
        eb
          .selectFrom('organization_workspaces as given')
          .innerJoin('api_keys as shared', 'shared.workspace_id', 'given.organization_id')
          .select(['given.workspace_id', 'given.since'])
          .where('shared.state', '=', 'active'),
      )
      .orderBy('since', 'desc')
      .limit(most)
      .execute();

  return {
    /**
     * First those with the newest requests, then those whose key, or whose organization's key, was connected most
     * recently. Each once.
     */
    async list(most: number) {
      const rows = [...(await byRequest()), ...(await byKey(most))];
      return [...new Set(rows.map(({ workspace_id }) => workspace_id))].slice(0, most);
    },
  };
}
