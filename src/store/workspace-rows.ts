import { setImmediate as nextTurn } from 'node:timers/promises';
import { type QueryResult, type RawBuilder, sql, type Transaction } from 'kysely';
import type { OwnerId } from '../installations/workspace-id.ts';
import { deleteInBatches, ROWS_AT_A_TIME } from './batches.ts';
import type { Database } from './database.ts';
import type { Schema } from './schema.ts';

/**
 * How many rows of a workspace each table has; a missing table doesn't compile. Requests come before jobs, so
 * that a remaining request always has its job.
 */
const ROWS_OF_A_WORKSPACE = {
  api_keys: 'one',
  installations: 'one',
  organization_workspaces: 'one',
  requests: 'many',
  jobs: 'many',
  entries: 'many',
  audit_entries: 'many',
  watched_cards: 'many',
  card_watchers: 'many',
  card_messages: 'many',
  budgets: 'none',
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
/** The tables that grow with requests, events, people, and cards. */
export const LARGE_TABLES = tablesWith('many');
/** The tables whose rows belong to a workspace or an organization, by `workspace_id`. */
export const WORKSPACE_TABLES = [...SMALL_TABLES, ...LARGE_TABLES];

export type WorkspaceRows = ReturnType<typeof createWorkspaceRows>;

export function createWorkspaceRows(db: Database) {
  /** The deletion locks the row, so that a new installation is written after it. */
  async function endInstall(tx: Transaction<Schema>, id: OwnerId, version: string) {
    const ended = await tx
      .deleteFrom('installations')
      .where('workspaceId', '=', id)
      .where('version', '=', version)
      .executeTakeFirst();
    return Number(ended.numDeletedRows);
  }

  const isInstalled = async (tx: Transaction<Schema>, id: OwnerId) =>
    (await tx
      .selectFrom('installations')
      .select('workspaceId')
      .where('workspaceId', '=', id)
      .executeTakeFirst()) !== undefined;

  /** @returns undefined if there is another installation */
  const deleteInstall = (id: OwnerId, install: { version: string } | undefined) =>
    db.transaction().execute(async (tx) => {
      let deleted = install ? await endInstall(tx, id, install.version) : 0;
      if (await isInstalled(tx, id)) return undefined;
      for (const table of SMALL_TABLES) {
        // There is none; one that another replica adds at this moment must stay.
        if (table === 'installations') continue;
        const result = await tx.deleteFrom(table).where('workspaceId', '=', id).executeTakeFirst();
        deleted += Number(result.numDeletedRows);
      }
      return deleted;
    });

  return {
    /**
     * Deletes everything of a workspace, or of an organization itself: first the installation and its
     * key in one transaction, then the rest in batches. A new installation ends this and keeps what remains.
     *
     * @param install the installation that has ended; undefined if there is none
     * @returns how many rows were deleted, or undefined if there is a new installation and nothing was deleted
     */
    async deleteAll(id: OwnerId, install: { version: string } | undefined) {
      let deleted = await deleteInstall(id, install);
      if (deleted === undefined) return undefined;
      // Part of each statement, so that data of a new installation is never deleted.
      const isLeft = sql`workspace_id = ${id} and not exists
        (select 1 from installations where installations.workspace_id = ${id})`;
      for (const table of LARGE_TABLES) deleted += await deleteInBatches(db, table, isLeft);
      return deleted;
    },

    /** Workspaces and organizations with stored data but without the app. */
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

/** Finds owners without the app. Skips from one owner to the next by the index, however many rows each has. */
async function* foreignIn(db: Database, table: WorkspaceTable): AsyncGenerator<OwnerId> {
  const next = (after: RawBuilder<unknown>) =>
    sql`select min(workspace_id) from ${sql.table(table)} where workspace_id > ${after}`;
  for (let last: string | undefined = ''; last !== undefined; await nextTurn()) {
    const { rows }: QueryResult<{ id: string; hasApp: number }> = await sql<{
      id: string;
      hasApp: number;
    }>`
      select id, case when
          exists (select 1 from installations where workspace_id = id)
          or exists (select 1 from organization_workspaces as given
            join installations as install on install.workspace_id = given.organization_id
            where given.workspace_id = id)
        then 1 else 0 end as has_app
      from (
        with recursive owners(id) as (
          ${next(sql`${last}`)}
          union all select (${next(sql`owners.id`)}) from owners where id is not null
        )
        select id from owners where id is not null limit ${sql.lit(ROWS_AT_A_TIME)}
      ) as some_owners`.execute(db);
    for (const { id, hasApp } of rows) {
      const owner = hasApp ? undefined : await ownerNamed(db, table, id);
      if (owner) yield owner;
    }
    last = rows.length < ROWS_AT_A_TIME ? undefined : rows.at(-1)?.id;
  }
}

/**
 * Compared as a string: it is known to be the ID of an owner only if there is a row. Selects the first row from `id`
 * on, because Postgres may scan a table for a row that is equal to it.
 */
async function ownerNamed(db: Database, table: WorkspaceTable, id: string) {
  const row = await db
    .selectFrom(table)
    .select('workspaceId')
    .where((eb) => eb(eb.ref('workspaceId').$castTo<string>(), '>=', id))
    .orderBy('workspaceId')
    .limit(1)
    .executeTakeFirst();
  return row && String(row.workspaceId) === id ? row.workspaceId : undefined;
}
