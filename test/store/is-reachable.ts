import { sql } from 'kysely';
import type { Database } from '../../src/store/database.ts';

/** @throws if the database doesn't answer */
export async function isReachable(db: Database): Promise<boolean> {
  await sql`select 1`.execute(db);
  return true;
}
