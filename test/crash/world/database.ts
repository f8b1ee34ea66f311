import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import pg from 'pg';
import { migrateDatabase, openMigrated } from '../../../src/store/database.ts';
import { freshDatabase, runSql } from '../../postgres/fresh-database.ts';
import { reusedDatabase } from '../../postgres/reused-databases.ts';
import { STARTS_AT } from '../process/virtual-time.ts';

export type CrashDatabase = {
  /** DATABASE_URL of the process that starts next. */
  url(): string;
  /** To be called when its process is killed; leaves exactly what `kill -9` would. */
  afterKill(): void;
  /** Lets so many ms pass if the database has its own clock. */
  passTime(ms: number): Promise<void>;
  /** How many statements wait for another process's lock. */
  waitingForLocks(): Promise<number>;
  query(sql: string): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
};

const FILE = 'app.db';
/** The files of a database that matter; SQLite rebuilds its shared memory from them. */
const PARTS = ['', '-wal'];

/** Creates an empty migrated database for `openSqliteFile` to copy. */
export async function createTemplate(folder: string): Promise<string> {
  const path = join(folder, 'template.db');
  const db = await openMigrated({ path });
  await db.destroy();
  return path;
}

/** After a kill the next process gets a copy, so what the old one's libraries still do has no effect. */
export function openSqliteFile(folder: string, template: string): CrashDatabase {
  let copies = 0;
  let reader: DatabaseSync | undefined;
  /** Preparing one costs more than running it. */
  const prepared = new Map<string, StatementSync>();
  let path = '';

  function copyFrom(source: string): void {
    copies += 1;
    const copy = join(folder, String(copies));
    mkdirSync(copy, { recursive: true });
    path = join(copy, FILE);
    for (const part of PARTS) {
      if (existsSync(source + part)) copyFileSync(source + part, path + part);
    }
    reader?.close();
    reader = undefined;
    prepared.clear();
  }
  copyFrom(template);

  return {
    url: () => `sqlite:${path}`,
    afterKill: () => copyFrom(path),
    passTime: async () => undefined,
    // The only process runs one statement at a time.
    waitingForLocks: async () => 0,
    async query(sql) {
      reader ??= new DatabaseSync(path, { readOnly: true });
      const statement = prepared.get(sql) ?? reader.prepare(sql);
      prepared.set(sql, statement);
      return statement.all();
    },
    async close() {
      reader?.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Opens an empty migrated database each time. @param server `postgres://…` without a database's name */
export async function createPostgresDatabases(server: string) {
  const template = await freshDatabase(server);
  await migrateDatabase({ url: template.url });
  await runSql(template.url, VIRTUAL_CLOCK);
  return {
    open: async () => openDatabase(await reusedDatabase(server, template.name)),
    close: template.drop,
  };
}

/** Leases run by Postgres' own clock. A function in front of it on the search path stands still until it is moved. */
const VIRTUAL_CLOCK = `
  create table virtual_clock (now timestamptz);
  create function clock_timestamp() returns timestamptz language sql as 'select now from virtual_clock';
`;
const SEARCH_PATH = encodeURIComponent('-c search_path=public,pg_catalog');
const SET_CLOCK = `insert into virtual_clock select to_timestamp(${STARTS_AT / 1_000})`;
const MOVE_CLOCK = "update virtual_clock set now = now + $1 * interval '1 ms'";

/** When a process is killed, its connections close and Postgres rolls back their transactions. */
async function openDatabase(reused: {
  url: string;
  giveBack: () => Promise<void>;
}): Promise<CrashDatabase> {
  const url = `${reused.url}?options=${SEARCH_PATH}`;
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  // Giving the database back closes its connections.
  pool.on('error', () => undefined);
  await pool.query(SET_CLOCK);
  return {
    url: () => url,
    afterKill: () => undefined,
    async passTime(ms) {
      if (ms > 0) await pool.query(MOVE_CLOCK, [ms]);
    },
    async waitingForLocks() {
      const { rows } = await pool.query(
        "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return rows.length;
    },
    async query(sql) {
      const { rows } = await pool.query(sql);
      return rows;
    },
    async close() {
      await pool.end();
      await reused.giveBack();
    },
  };
}
