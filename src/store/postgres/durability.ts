import { sql } from 'kysely';
import type { Database } from '../database.ts';

/** If one of these is off, a commit may be lost (Postgres documentation, "Write Ahead Log"). */
const NEEDED = ['fsync', 'full_page_writes', 'synchronous_commit'] as const;

/** @returns the names of those that are off for this user */
export async function riskySettings(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from pg_settings
    where setting = 'off' and name in (${sql.join(NEEDED)}) order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/** What the app sets at the start of each connection, unless a pooler refuses it. */
const LIMITS = ['statement_timeout', 'idle_in_transaction_session_timeout'] as const;

/** @returns the names of those without a limit for this user */
export async function missingLimits(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from pg_settings
    where setting = '0' and name in (${sql.join(LIMITS)}) order by name`.execute(db);
  return rows.map(({ name }) => name);
}
