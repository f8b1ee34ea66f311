import { existsSync } from 'node:fs';
import { type Kysely, sql } from 'kysely';
import {
  type Database,
  lockDatabase,
  migrateDatabase,
  openDatabase,
  openPostgres,
} from '../database.ts';
import { DatabaseError } from '../database-error.ts';
import { nameOf } from '../database-location.ts';
import type { Schema } from '../schema.ts';
import { locateSqlite } from '../sqlite/path.ts';
import { setAside } from '../sqlite/set-aside.ts';
import { createRowDigest, type Row } from './row-digest.ts';

/** Whether a table is moved; what is said of running processes is not. The compiler misses none. */
const MOVED = {
  api_keys: true,
  requests: true,
  jobs: true,
  channel_brands: true,
  last_channels: true,
  hints: true,
  workspace_settings: true,
  budgets: true,
  interactions: true,
  installations: true,
  organisation_workspaces: true,
  used_install_states: true,
  card_cache: true,
  replicas: false,
} satisfies Record<keyof Schema, boolean>;
type Table = keyof Schema;
const TABLES = (Object.keys(MOVED) as Table[]).filter((table) => MOVED[table]);

/** Rows of one statement; with a dozen columns far below what Postgres binds at most. */
const ROWS_AT_A_TIME = 200;

export type Moved = {
  /** How many rows were moved, by table. */
  rows: Record<string, number>;
  /** Where the SQLite database lies now. */
  keptAs: string | undefined;
};

/**
 * Moves everything from an SQLite database into a Postgres one, in one transaction there: it is all there
 * or nothing is. Every row is compared. Then the SQLite file is set aside, so that no app starts on it
 * again and sends what the other one sends too.
 *
 * Broken off, it is run again: where everything had arrived, only the setting aside is left to do.
 *
 * @throws DatabaseError in words: where the app runs on the file, or the target holds something else
 */
export async function moveToPostgres(
  from: { path: string },
  to: { url: string },
  now: Date,
): Promise<Moved> {
  if (!existsSync(from.path)) throw new DatabaseError(`There is no database at ${from.path}.`);
  const lock = await lockDatabase(from);
  try {
    await migrateDatabase(from);
    await migrateDatabase(to);
    const rows = await copyAll(from, to);
    return { rows, keptAs: setAside(locateSqlite(from.path), 'moved', now) };
  } finally {
    lock.release();
  }
}

async function copyAll(
  from: { path: string },
  to: { url: string },
): Promise<Record<string, number>> {
  const source = openDatabase(from);
  const target = openPostgres(to, { patient: true });
  try {
    return await target.transaction().execute(async (tx) => {
      // Nobody writes meanwhile.
      await sql`lock table ${sql.join(TABLES.map((table) => sql.table(table)))} in exclusive mode`.execute(
        tx,
      );
      const wasEmpty = await isEmpty(tx);
      const rows: Record<string, number> = {};
      for (const table of TABLES) {
        const moved = await copyTable(source, wasEmpty ? tx : undefined, table);
        if ((await digestOf(tx, table)) !== moved.digest) {
          throw wasEmpty ? notTheSame(table) : notEmpty(nameOf(to));
        }
        rows[table] = moved.rows;
      }
      await numberOn(tx);
      return rows;
    });
  } finally {
    await source.destroy();
    await target.destroy();
  }
}

const notEmpty = (name: string) =>
  new DatabaseError(
    `The database ${name} holds something else already. Nothing was moved: name an empty one.`,
  );

const notTheSame = (table: string) =>
  new DatabaseError(`The table ${table} did not arrive as it was. Nothing was moved.`);

async function isEmpty(db: Kysely<Schema>): Promise<boolean> {
  for (const table of TABLES) {
    const row = await sql`select 1 from ${sql.table(table)} limit 1`.execute(db);
    if (row.rows.length > 0) return false;
  }
  return true;
}

/** @param target where the rows are written; undefined where they are only looked at */
async function copyTable(source: Database, target: Kysely<Schema> | undefined, table: Table) {
  const digest = createRowDigest();
  let rows = 0;
  let last = 0;
  for (;;) {
    const page = await sql<Row & { row_number: number }>`
      select rowid as row_number, * from ${sql.table(table)}
      where rowid > ${last} order by rowid limit ${ROWS_AT_A_TIME}`.execute(source);
    const moved = page.rows.map(({ row_number: _, ...row }) => asMoved(table, row));
    for (const row of moved) digest.add(row);
    if (target) await insert(target, table, moved);
    rows += moved.length;
    last = page.rows.at(-1)?.row_number ?? last;
    if (moved.length < ROWS_AT_A_TIME) return { rows, digest: digest.result() };
  }
}

/** The app is stopped, so nobody runs the job any more. */
function asMoved(table: Table, row: Row): Row {
  return table === 'jobs' && row.state === 'running' ? { ...row, state: 'ready' } : row;
}

async function insert(db: Kysely<Schema>, table: Table, rows: readonly Row[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = Object.keys(first);
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`);
  await sql`insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
    values ${sql.join(values)}`.execute(db);
}

async function digestOf(tx: Kysely<Schema>, table: Table): Promise<string> {
  const digest = createRowDigest();
  await sql`declare rows_moved no scroll cursor for select * from ${sql.table(table)}`.execute(tx);
  for (;;) {
    const { rows } = await sql<Row>`fetch ${sql.lit(ROWS_AT_A_TIME)} from rows_moved`.execute(tx);
    for (const row of rows) digest.add(row);
    if (rows.length < ROWS_AT_A_TIME) break;
  }
  await sql`close rows_moved`.execute(tx);
  return digest.result();
}

/** Lets new jobs take numbers after those that were moved. */
async function numberOn(tx: Kysely<Schema>): Promise<void> {
  await sql`select setval(pg_get_serial_sequence('jobs', 'id'), max(id)) from jobs having max(id) is not null`.execute(
    tx,
  );
}
