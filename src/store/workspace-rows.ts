import { setImmediate as nextTurn } from 'node:timers/promises';
import { type QueryResult, type RawBuilder, sql } from 'kysely';
import type { OwnerId } from '../installations/workspace-id.ts';
import { deleteInBatches, ROWS_AT_A_TIME } from './batches.ts';
import type { Database } from './database.ts';
import { WORKSPACE_TABLES } from './tables.ts';

const DATA_TABLES = WORKSPACE_TABLES.filter((table) => table !== 'installations');
type DataTable = (typeof DATA_TABLES)[number];
/** With at most one row of a workspace or an organization. */
const SMALL_TABLES: readonly DataTable[] = ['api_keys', 'organization_workspaces'];
/** Requests come before jobs, so that a remaining request always has its job. */
export const LARGE_TABLES = DATA_TABLES.filter((table) => !SMALL_TABLES.includes(table));

export function createWorkspaceRows(db: Database) {
  /** @returns undefined if there is another installation */
  const deleteInstall = (id: OwnerId, install: { version: string } | undefined) =>
    db.transaction().execute(async (tx) => {
      // Locks the row, so that a new installation is written after this.
      const ended = await tx
        .deleteFrom('installations')
        .where('workspaceId', '=', id)
        .where('version', '=', install?.version ?? '')
        .executeTakeFirst();
      const another = tx.selectFrom('installations').where('workspaceId', '=', id);
      if (await another.select('version').executeTakeFirst()) return undefined;
      let deleted = Number(ended.numDeletedRows);
      for (const table of SMALL_TABLES)
        deleted += await deleteInBatches(tx, table, sql`workspace_id = ${id}`);
      return deleted;
    });

  return {
    /**
     * Of a workspace, or of an organization itself: first the installation and its key in one
     * transaction, then the rest in batches. A new installation ends this and keeps what remains.
     *
     * @param install the installation that has ended; undefined if there is none
     * @returns how many rows; undefined if nothing was deleted because of a new installation
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
      for (const table of DATA_TABLES) for await (const id of foreignIn(db, table)) found.add(id);
      return [...found];
    },
  };
}

type Owner = { id: OwnerId; hasApp: number };

/** Owners without the app. Skips through the index from one owner to the next. */
async function* foreignIn(db: Database, table: DataTable): AsyncGenerator<OwnerId> {
  const next = (after: RawBuilder<unknown>) =>
    sql`select min(workspace_id) from ${sql.table(table)} where workspace_id > ${after}`;
  for (let last: string | undefined = ''; last !== undefined; await nextTurn()) {
    const { rows }: QueryResult<Owner> = await sql<Owner>`
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
    for (const { id, hasApp } of rows) if (!hasApp) yield id;
    last = rows.length < ROWS_AT_A_TIME ? undefined : rows.at(-1)?.id;
  }
}
