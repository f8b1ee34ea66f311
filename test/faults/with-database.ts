import { type Database, openDatabase } from '../../src/store/database.ts';
import type { DatabaseLocation } from '../../src/store/database-location.ts';

/** Opens a database beside other users of it, and closes it again. */
export async function withDatabase<Result>(
  location: DatabaseLocation,
  use: (db: Database) => Promise<Result>,
): Promise<Result> {
  const db = openDatabase(location);
  try {
    return await use(db);
  } finally {
    await db.destroy();
  }
}
