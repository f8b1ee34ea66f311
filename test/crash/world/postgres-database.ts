import pg from 'pg';
import { migrateDatabase } from '../../../src/store/database.ts';
import { freshDatabase } from '../../postgres/fresh-database.ts';
import type { CrashDatabase } from './database.ts';

/** Opens a new migrated database each time. */
export type PostgresDatabases = { open(): Promise<CrashDatabase>; close(): Promise<void> };

/** @param server `postgres://…` without a database's name */
export async function createPostgresDatabases(server: string): Promise<PostgresDatabases> {
  const template = await freshDatabase(server);
  await migrateDatabase({ url: template.url });
  return {
    open: async () => openDatabase(await freshDatabase(server, template.name)),
    close: template.drop,
  };
}

/**
 * A database of a real Postgres. When a process is killed, its connections close and Postgres rolls
 * back their transactions.
 */
async function openDatabase(database: {
  url: string;
  drop: () => Promise<void>;
}): Promise<CrashDatabase> {
  const { url, drop } = database;
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  // Dropping the database closes its connections.
  pool.on('error', () => undefined);
  return {
    url: () => url,
    afterKill: () => undefined,
    async passTime(ms) {
      // Leases run by Postgres' own clock, which can't be moved, so their ends are moved instead.
      if (ms > 0) await pool.query('update replicas set alive_until = alive_until - $1', [ms]);
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
