import { setImmediate as nextTurn } from 'node:timers/promises';
import { type QueryResult, type RawBuilder, sql, type Transaction } from 'kysely';
import type { OwnerId } from '../installations/workspace-id.ts';
import { deleteInBatches, ROWS_AT_A_TIME } from './batches.ts';
import type { Database } from './database.ts';
import type { Schema } from './schema.ts';

/**
 * Every table, and how many rows it holds of one workspace; the compiler misses none. Requests come before
 * jobs, so that no request that is left misses the job that sends it.
 */
const ROWS_OF_A_WORKSPACE = {
  api_keys: 'one',
  workspace_settings: 'one',
  installations: 'one',
  organisation_workspaces: 'one',
  requests: 'many',
  jobs: 'many',
  channel_brands: 'many',
  last_channels: 'many',
  hints: 'many',
  interactions: 'many',
  card_cache: 'many',
  // A budget is the key's, and names no workspace.
  budgets: 'none',
  used_install_states: 'none',
  // Processes are nobody's.
  replicas: 'none',
} as const satisfies Record<keyof Schema, 'one' | 'many' | 'none'>;

type Tables = typeof ROWS_OF_A_WORKSPACE;
type WorkspaceTable = {
  [Name in keyof Tables]: Tables[Name] extends 'none' ? never : Name;
}[keyof Tables];

const tablesWith = (rows: 'one' | 'many') =>
  Object.entries(ROWS_OF_A_WORKSPACE)
    .filter(([, held]) => held === rows)
    .map(([name]) => name as WorkspaceTable);

const SMALL_TABLES = tablesWith('one');
/** The tables that grow with every request, event, person and card. */
export const LARGE_TABLES = tablesWith('many');
/** The tables whose rows belong to a workspace or an organisation, named in `workspace_id`. */
export const WORKSPACE_TABLES = [...SMALL_TABLES, ...LARGE_TABLES];

export type WorkspaceRows = {
  /**
   * Deletes everything of a workspace, or of an organisation as such: the install, its key and its settings
   * together, then the rest in batches. A new install ends it, and keeps what is left by then.
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
  /** The row is locked by its deletion, so an install that comes meanwhile is written after it. */
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

  /** @returns undefined where there is another install */
  const deleteInstall = (id: OwnerId, install: { version: string } | undefined) =>
    db.transaction().execute(async (tx) => {
      let deleted = install ? await endInstall(tx, id, install.version) : 0;
      if (await isInstalled(tx, id)) return undefined;
      for (const table of SMALL_TABLES) {
        // There is no install; one that another replica adds at this moment stays.
        if (table === 'installations') continue;
        const result = await tx.deleteFrom(table).where('workspace_id', '=', id).executeTakeFirst();
        deleted += Number(result.numDeletedRows);
      }
      return deleted;
    });

  return {
    async deleteAll(id, install) {
      let deleted = await deleteInstall(id, install);
      if (deleted === undefined) return undefined;
      // Asked in each statement itself: what a new install writes is never deleted.
      const isLeft = sql`workspace_id = ${id} and not exists
        (select 1 from installations where installations.workspace_id = ${id})`;
      for (const table of LARGE_TABLES) deleted += await deleteInBatches(db, table, isLeft);
      return deleted;
    },

    async listForeign() {
      const found = new Set<OwnerId>();
      for (const table of WORKSPACE_TABLES) {
        if (table === 'installations') continue;
        for await (const id of foreignIn(db, table)) found.add(id);
      }
      return [...found];
    },
  };
}

/**
 * Finds the owners that a table names without having the app: goes from one owner to the next by the
 * index, however many rows each has.
 */
async function* foreignIn(db: Database, table: WorkspaceTable): AsyncGenerator<OwnerId> {
  const next = (after: RawBuilder<unknown>) =>
    sql`select min(workspace_id) from ${sql.table(table)} where workspace_id > ${after}`;
  let last: string | undefined = '';
  while (last !== undefined) {
    const page: QueryResult<{ id: string; has_app: number }> = await sql<{
      id: string;
      has_app: number;
    }>`
      select id, case when
          exists (select 1 from installations where workspace_id = id)
          or exists (select 1 from organisation_workspaces as given
            join installations as install on install.workspace_id = given.organisation_id
            where given.workspace_id = id)
        then 1 else 0 end as has_app
      from (
        with recursive owners(id) as (
          ${next(sql`${last}`)}
          union all select (${next(sql`owners.id`)}) from owners where id is not null
        )
        select id from owners where id is not null limit ${sql.lit(ROWS_AT_A_TIME)}
      ) as some_owners`.execute(db);
    for (const { id, has_app } of page.rows) {
      const owner = has_app ? undefined : await ownerNamed(db, table, id);
      if (owner) yield owner;
    }
    last = page.rows.length < ROWS_AT_A_TIME ? undefined : page.rows.at(-1)?.id;
    await nextTurn();
  }
}

/**
 * Compared as text: that it is an owner's id is known once there is a row. Asks for the first from `id` on,
 * since Postgres may read a whole table for one row that is equal to it.
 */
async function ownerNamed(db: Database, table: WorkspaceTable, id: string) {
  const row = await db
    .selectFrom(table)
    .select('workspace_id')
    .where((eb) => eb(eb.ref('workspace_id').$castTo<string>(), '>=', id))
    .orderBy('workspace_id')
    .limit(1)
    .executeTakeFirst();
  return row && String(row.workspace_id) === id ? row.workspace_id : undefined;
}
