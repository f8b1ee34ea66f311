import { existsSync } from 'node:fs';
import { type Kysely, sql } from 'kysely';
import { settingsFromEnvironment } from '../config/config.ts';
import { parseDatabaseUrl } from '../config/database.ts';
import { environment } from '../config/settings.ts';
import { OperatorError } from '../ops/operator-error.ts';
import {
  type Database,
  lockDatabase,
  migrateDatabase,
  openDatabase,
  refuseNewer,
} from '../store/database.ts';
import { DatabaseError, isPostgres, nameOf } from '../store/database-location.ts';
import { locateSqlite, setAside } from '../store/sqlite/path.ts';
import { type Schema, TABLE_NAMES, type TableName } from '../store/tables.ts';
import { UsageError } from './read-arguments.ts';

/** All tables but that of the running processes. */
const TABLES = TABLE_NAMES.filter((table) => table !== 'replicas');

/** Per statement; with a dozen columns, far below the number of parameters that Postgres allows. */
const ROWS_AT_A_TIME = 200;

export async function move(options: {
  from?: string | undefined;
  to?: string | undefined;
}): Promise<void> {
  if ((options.from === undefined) === (options.to === undefined)) {
    throw new UsageError('Either --to or --from is needed.');
  }
  const needed = environment.pick({ DATABASE_URL: true });
  const { DATABASE_URL: database } = settingsFromEnvironment(needed);
  const from = options.from === undefined ? database : parseDatabaseUrl('--from', options.from);
  const to = options.to === undefined ? database : parseDatabaseUrl('--to', options.to);
  if (isPostgres(from) || !isPostgres(to)) {
    throw new OperatorError('This command only moves from SQLite to Postgres.');
  }
  const { rows, keptAs } = await moveToPostgres(from, to, new Date());
  for (const [table, count] of Object.entries(rows)) process.stdout.write(`${table}: ${count}\n`);
  process.stdout.write(
    `Everything is in Postgres. Set DATABASE_URL to it and start the app. The SQLite database was kept as ${keptAs}.\n`,
  );
}

/**
 * Copies everything from SQLite to Postgres in one transaction, and counts the rows. Then it renames the SQLite
 * file, so that no app starts on it by mistake and sends its requests a second time.
 *
 * Can be interrupted and repeated: if everything has been copied, only the renaming is left.
 *
 * @throws DatabaseError if the app is running, the target isn't empty, or a newer version has used the source
 */
export async function moveToPostgres(
  from: { path: string },
  to: { url: string },
  now: Date,
): Promise<{ rows: Record<string, number>; keptAs: string | undefined }> {
  if (!existsSync(from.path)) throw new DatabaseError(`There is no database at ${from.path}.`);
  using _lock = await lockDatabase(from);
  await migrateDatabase(from);
  await migrateDatabase(to);
  const rows = await copyAll(from, to);
  return { rows, keptAs: setAside(locateSqlite(from.path), 'moved', now) };
}

async function copyAll(from: { path: string }, to: { url: string }) {
  await using source = openDatabase(from);
  await using target = openDatabase(to, { patient: true });
  await refuseNewer(source, `The database ${from.path}`);
  return await target.transaction().execute(async (tx) => {
    // Blocks other writers.
    await sql`lock table ${sql.join(TABLES.map((table) => sql.table(table)))} in exclusive mode`.execute(
      tx,
    );
    const before = await countsOf(tx);
    const isEmpty = Object.values(before).every((count) => count === 0);
    if (isEmpty)
      for (const table of TABLES)
        await copyTable(source.withoutPlugins(), tx.withoutPlugins(), table);
    const rows = await countsOf(source);
    const copied = isEmpty ? await countsOf(tx) : before;
    const different = TABLES.find((table) => copied[table] !== rows[table]);
    if (different !== undefined) {
      throw new DatabaseError(
        isEmpty
          ? `The copy of the table ${different} is incomplete. Nothing was moved.`
          : `The database ${nameOf(to)} isn't empty. Nothing was moved. Use an empty one.`,
      );
    }
    // Continues the IDs of new jobs after those that were moved.
    await sql`select setval(pg_get_serial_sequence('jobs', 'id'), max(id)) from jobs having max(id) is not null`.execute(
      tx,
    );
    return rows;
  });
}

async function countsOf(db: Kysely<Schema>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of TABLES) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${sql.table(table)}`.execute(db);
    counts[table] = Number(rows[0]?.count);
  }
  return counts;
}

type Row = Record<string, unknown>;

async function copyTable(source: Database, target: Kysely<Schema>, table: TableName) {
  let last = 0;
  for (;;) {
    const page = await sql<Row & { row_number: number }>`
      select rowid as row_number, * from ${sql.table(table)}
      where rowid > ${last} order by rowid limit ${ROWS_AT_A_TIME}`.execute(source);
    const rows = page.rows.map(({ row_number: _, ...row }) => asMoved(table, row));
    const [first] = rows;
    if (!first) return;
    const columns = Object.keys(first);
    const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`);
    await sql`insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
      values ${sql.join(values)}`.execute(target);
    last = page.rows.at(-1)?.row_number ?? last;
  }
}

/** The app is stopped, so no job is running. */
const asMoved = (table: TableName, row: Row): Row =>
  table === 'jobs' && row.state === 'running' ? { ...row, state: 'ready' } : row;
