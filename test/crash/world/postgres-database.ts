import pg from 'pg';
import { migrateDatabase } from '../../../src/store/database.ts';
import { freshDatabase } from '../../postgres/fresh-database.ts';
import { STARTS_AT } from '../process/virtual-time.ts';
import type { CrashDatabase } from './database.ts';

/** Opens a new migrated database each time. */
export type PostgresDatabases = { open(): Promise<CrashDatabase>; close(): Promise<void> };

/** @param server `postgres://…` without a database's name */
export async function createPostgresDatabases(server: string): Promise<PostgresDatabases> {
  const template = await freshDatabase(server);
  await migrateDatabase({ url: template.url });
  await run(template.url, VIRTUAL_CLOCK);
  return {
    open: async () => openDatabase(await freshDatabase(server, template.name)),
    close: template.drop,
  };
}

/** Leases run by Postgres' own clock. A function in front of it on the search path stands still until it is moved. */
const VIRTUAL_CLOCK = `
  create table virtual_clock as select to_timestamp(${STARTS_AT / 1_000}) as now;
  create function clock_timestamp() returns timestamptz language sql as 'select now from virtual_clock';
`;
const MOVE_CLOCK = "update virtual_clock set now = now + $1 * interval '1 ms'";

async function run(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql);
  await client.end();
}

/**
 * A database of a real Postgres. When a process is killed, its connections close and Postgres rolls
 * back their transactions.
 */
async function openDatabase(database: {
  name: string;
  url: string;
  drop: () => Promise<void>;
}): Promise<CrashDatabase> {
  const { name, url, drop } = database;
  await run(url, `alter database ${name} set search_path = public, pg_catalog`);
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  // Dropping the database closes its connections.
  pool.on('error', () => undefined);
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
      await drop();
    },
  };
}
