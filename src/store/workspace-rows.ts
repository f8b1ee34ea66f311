import type { Transaction } from 'kysely';
import type { OwnerId } from '../workspaces/workspace-id.ts';
import type { Database } from './database.ts';
import type { Schema } from './schema.ts';

/** Every table, and whether it holds something of a workspace; the compiler misses none. */
const HOLDS_WORKSPACES = {
  api_keys: true,
  requests: true,
  jobs: true,
  channel_brands: true,
  hints: true,
  workspace_settings: true,
  interactions: true,
  card_cache: true,
  // A budget is the key's, and names no workspace.
  budgets: false,
  installations: true,
  organisation_workspaces: true,
  used_install_states: false,
  // Processes are nobody's.
  replicas: false,
} as const satisfies Record<keyof Schema, boolean>;

type Tables = typeof HOLDS_WORKSPACES;
type WorkspaceTable = {
  [Name in keyof Tables]: Tables[Name] extends true ? Name : never;
}[keyof Tables];

/** The tables whose rows belong to a workspace or an organisation, named in `workspace_id`. */
export const WORKSPACE_TABLES = Object.entries(HOLDS_WORKSPACES)
  .filter(([, holds]) => holds)
  .map(([name]) => name as WorkspaceTable);

export type WorkspaceRows = {
  /**
   * Deletes everything of a workspace, or of an organisation as such, in one transaction.
   *
   * @param install the install that is over; undefined where there is none
   * @returns how many rows there were, or undefined where there is another install by now, which keeps
   *   everything
   */
  deleteAll(id: OwnerId, install: { version: string } | undefined): Promise<number | undefined>;
  /** Workspaces and organisations of which something is kept, although the app is not installed there. */
  listForeign(): Promise<OwnerId[]>;
};

export function createWorkspaceRows(db: Database): WorkspaceRows {
  /** Locked by its deletion, so that an install that comes meanwhile is written after it. */
  async function endInstall(tx: Transaction<Schema>, id: OwnerId, version: string) {
    const ended = await tx
      .deleteFrom('installations')
      .where('workspace_id', '=', id)
      .where('version', '=', version)
      .executeTakeFirst();
    return Number(ended.numDeletedRows);
  }

  const isInstalled = async (tx: Transaction<Schema>, id: OwnerId) =>
    (await tx
      .selectFrom('installations')
      .select('workspace_id')
      .where('workspace_id', '=', id)
      .executeTakeFirst()) !== undefined;

  return {
    deleteAll: (id, install) =>
      db.transaction().execute(async (tx) => {
        let deleted = install ? await endInstall(tx, id, install.version) : 0;
        if (await isInstalled(tx, id)) return undefined;
        for (const table of WORKSPACE_TABLES) {
          // There is none; one that another replica adds at this moment stays.
          if (table === 'installations') continue;
          const result = await tx
            .deleteFrom(table)
            .where('workspace_id', '=', id)
            .executeTakeFirst();
          deleted += Number(result.numDeletedRows);
        }
        return deleted;
      }),

    async listForeign() {
      const found = new Set<OwnerId>();
      for (const table of WORKSPACE_TABLES) {
        if (table === 'installations') continue;
        const rows = await db
          .selectFrom(table)
          .select('workspace_id')
          .distinct()
          .where('workspace_id', 'not in', (eb) =>
            eb.selectFrom('installations').select('workspace_id'),
          )
          .where('workspace_id', 'not in', (eb) =>
            eb
              .selectFrom('organisation_workspaces as given')
              .innerJoin(
                'installations as install',
                'install.workspace_id',
                'given.organisation_id',
              )
              .select('given.workspace_id'),
          )
          .execute();
        for (const { workspace_id } of rows) found.add(workspace_id);
      }
      return [...found];
    },
  };
}
