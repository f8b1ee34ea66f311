import { sql } from 'kysely';
import type { Database } from '../database.ts';

/** If one of these is off, a commit may be lost (Postgres documentation, "Write Ahead Log"). */
const NEEDED = ['fsync', 'full_page_writes', 'synchronous_commit'] as const;

/** @returns the names of the settings that are off for this user */
export async function riskySettings(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from pg_settings
    where setting = 'off' and name in (${sql.join(NEEDED)}) order by name`.execute(db);
  return rows.map(({ name }) => name);
}
