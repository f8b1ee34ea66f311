import type { WorkspaceId } from '../installations/workspace-id.ts';
import type { Database } from './database.ts';

/** Which workspaces will open the form next, as far as one can tell. */
export type WorkspacesInUse = {
  /**
   * First those that made the newest requests, then those whose key was connected last, each once.
   * One that works with its organisation's key is among them.
   */
  list(most: number): Promise<WorkspaceId[]>;
};

/** One busy workspace may have made all of them; the others come by their keys. */
const NEWEST_REQUESTS = 5_000;

export function createWorkspacesInUse(db: Database): WorkspacesInUse {
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
        eb.selectFrom('organisation_workspaces').select('organisation_id'),
      )
      // Organisations were just left out. One that gave the app to no workspace may be read for nothing.
      .$narrowType<{ workspace_id: WorkspaceId }>()
      .unionAll((eb) =>
        eb
          .selectFrom('organisation_workspaces as given')
          .innerJoin('api_keys as shared', 'shared.workspace_id', 'given.organisation_id')
          .select(['given.workspace_id', 'given.since'])
          .where('shared.state', '=', 'active'),
      )
      .orderBy('since', 'desc')
      .limit(most)
      .execute();

  return {
    async list(most) {
      const rows = [...(await byRequest()), ...(await byKey(most))];
      return [...new Set(rows.map(({ workspace_id }) => workspace_id))].slice(0, most);
    },
  };
}
