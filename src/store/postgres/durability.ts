import { sql } from 'kysely';
import type { Database } from '../database.ts';

/** With one of these off, a commit may be lost that was acknowledged (Postgres, "Write Ahead Log" settings). */
const NEEDED = ['fsync', 'full_page_writes', 'synchronous_commit'] as const;

/** @returns the settings that a Postgres has off for this user and that durability needs, by name */
export async function riskySettings(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from pg_settings
    where setting = 'off' and name in (${sql.join(NEEDED)}) order by name`.execute(db);
  return rows.map(({ name }) => name);
}
